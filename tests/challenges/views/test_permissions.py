"""Tests of the response to each kind of person for every page of challenges."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from challenges.hosting.tokens import make_host_token
from challenges.models import Challenge, ChallengeEvent, HumanStudy, Submission, Team
from challenges.taking_part.teams import invite_member
from challenges.taking_part.tokens import make_team_token
from challenges.urls import urlpatterns
from studies.access.audit import Actor
from studies.enums import Interface
from tests.challenges.baselines.adding import add
from tests.challenges.challenges import make_challenge
from tests.challenges.people import HOSTS, PEOPLE, begin
from tests.factories.studies import NOW, make_study
from tests.studies.views.test_headers import find_lacking

pytestmark = pytest.mark.django_db
LOG_IN = "sent to log in"
EVERYBODY, ACCOUNT, MEMBER, TEAM, TEAM_AND_HOSTS, HOST = "everybody", "account", "team of any", "team", "both", "host"
TOKEN_MAKER = "maker of the token"
CHALLENGE = {"slug": "captions"}
PHASE = {**CHALLENGE, "phase": "test"}
OWN_TEAM = {**PHASE, "team": lambda arena: arena.team.pk}


@dataclass(frozen=True)
class Access:
    """How a page is asked, who is let in, and the answers to those and to others with an account."""

    right: str
    method: str = "get"
    arguments: Mapping[str, Any] = field(default_factory=lambda: CHALLENGE)
    data: Mapping[str, Any] = field(default_factory=dict)
    answer: int = 0
    refusal: int = 404

    @property
    def welcome(self) -> int:
        return self.answer or (200 if self.method == "get" else 302)


def make_invitation(arena) -> str:
    return invite_member(arena.team, by=arena.people["member"], now=timezone.now())


def find_scored(arena) -> str:
    return arena.scored.token


def find_upload(arena) -> str:
    return begin(arena).token


def find_token(arena) -> int:
    token, _ = make_team_token(arena.team, name="script", by=arena.people["member"], now=timezone.now())
    return token.pk


def find_host_token(arena) -> int:
    actor = Actor(arena.people["member"], Interface.PAGE)
    return make_host_token(name="script", actor=actor, now=timezone.now())[0].pk


def make_human(arena) -> int:
    study = make_study("human", owner=arena.people["owner"], state="open")
    given = {"phase": arena.phase, "study": study, "criterion": "M3", "images": [], "seed": 1}
    return HumanStudy.objects.create(**given, created_at=NOW).pk


def find_baseline(arena) -> str:
    return add(arena.phase, "human", now=timezone.now()).submission.token


SUBMISSION = {**CHALLENGE, "token": find_scored}
PAGES = {
    "list": Access(EVERYBODY, arguments={}),
    "challenge": Access(EVERYBODY),
    "phase": Access(EVERYBODY, arguments=PHASE),
    "image_ids": Access(EVERYBODY, arguments=PHASE),
    "board": Access(EVERYBODY, arguments=PHASE),
    "board_file": Access(EVERYBODY, arguments={**PHASE, "file_format": "csv"}),
    # The phase asks for one caption of each image.
    "diversity": Access(EVERYBODY, arguments=PHASE, answer=404),
    "history": Access(EVERYBODY, arguments=OWN_TEAM),
    "history_figure": Access(EVERYBODY, arguments=OWN_TEAM),
    "badge": Access(EVERYBODY, arguments=OWN_TEAM),
    "join": Access(ACCOUNT),
    "invitation": Access(ACCOUNT, arguments={"token": make_invitation}),
    "team": Access(MEMBER),
    "invite": Access(MEMBER, "post", answer=201),
    "team_mail": Access(MEMBER, "post"),
    # Webhooks are off by default, which is said.
    "webhook_save": Access(MEMBER, "post", data={"url": "https://hooks.example.org/"}, answer=422),
    "webhook_remove": Access(MEMBER, "post"),
    "token_make": Access(MEMBER, "post", data={"name": "script"}, answer=201),
    # Of the team its maker alone.
    "token_revoke": Access(TOKEN_MAKER, "post", {**CHALLENGE, "pk": find_token}),
    "submission": Access(TEAM_AND_HOSTS, arguments=SUBMISSION),
    "submission_progress": Access(TEAM_AND_HOSTS, arguments=SUBMISSION),
    "cancel": Access(TEAM, "post", {**CHALLENGE, "token": find_upload}),
    "hide": Access(TEAM, "post", SUBMISSION),
    "show_again": Access(TEAM, "post", SUBMISSION),
    "host_tokens": Access(ACCOUNT, arguments={}),
    "host_token_revoke": Access(TOKEN_MAKER, "post", {"pk": find_host_token}),
    "new": Access(ACCOUNT, arguments={}),
    "host": Access(HOST, refusal=403),
    # It is open already, which is said.
    "open": Access(HOST, "post", refusal=403),
    "close": Access(HOST, refusal=403),
    "copy": Access(HOST, refusal=403),
    "raise_limit": Access(HOST, arguments={**CHALLENGE, "pk": lambda arena: arena.team.pk}, refusal=403),
    "extend": Access(HOST, arguments=PHASE, refusal=403),
    "score_again": Access(HOST, arguments=PHASE, refusal=403),
    "make_final": Access(HOST, arguments=PHASE, refusal=403),
    "baselines": Access(HOST, arguments=PHASE, refusal=403),
    "baseline_new": Access(HOST, arguments=PHASE, refusal=403),
    "baseline_remove": Access(HOST, arguments={**CHALLENGE, "token": find_baseline}, refusal=403),
    "human": Access(HOST, arguments=PHASE, refusal=403),
    "human_new": Access(HOST, arguments=PHASE, refusal=403),
    "human_correlate": Access(HOST, arguments=PHASE, refusal=403),
    "human_show": Access(HOST, "post", {**PHASE, "pk": make_human}, refusal=403),
    "disqualify": Access(HOST, arguments=SUBMISSION, refusal=403),
    "reinstate": Access(HOST, arguments=SUBMISSION, refusal=403),
}
"""Name of a route -> its access."""

IN_TEAMS = {"member", "rival"}
HAS_TEAM_ALREADY = {"join": 302}


APART_FROM_CHALLENGES = ("list", "invitation", "new", "host_tokens", "host_token_revoke")


def test_every_page_has_a_row():
    assert {each.name for each in urlpatterns} == set(PAGES)


def expect_answer(name: str, access: Access, person: str) -> int | str:
    allowed: dict[str, Callable[[], bool]] = {
        EVERYBODY: lambda: True,
        ACCOUNT: lambda: True,
        MEMBER: lambda: person in IN_TEAMS,
        TEAM: lambda: person in {"member", "superuser"},
        TOKEN_MAKER: lambda: person == "member",
        TEAM_AND_HOSTS: lambda: person == "member" or person in HOSTS,
        HOST: lambda: person in HOSTS,
    }
    if access.right == EVERYBODY:
        return access.welcome
    if person in ("anonymous", "dismissed"):
        return LOG_IN
    if person in IN_TEAMS and name in HAS_TEAM_ALREADY:
        return HAS_TEAM_ALREADY[name]
    if access.right == TEAM and person in ("owner", "cohost"):
        # They see it, and may not do this.
        return 403
    return access.welcome if allowed[access.right]() else access.refusal


def fill(given: Mapping[str, Any], arena) -> dict[str, Any]:
    return {name: value(arena) if callable(value) else value for name, value in given.items()}


def make_address(name: str, arena) -> str:
    return reverse(f"challenges:{name}", kwargs=fill(PAGES[name].arguments, arena))


def ask(client, cookies, address, access, data):
    """Ask with the cookies of a person, and leave the database as it was; return the response."""
    with transaction.atomic():
        client.cookies = copy.deepcopy(cookies)
        response = getattr(client, access.method)(address, data)
        if response.streaming:
            list(response)
        transaction.set_rollback(True)
    return response


def read_answer(response) -> int | str:
    is_sent_away = response.status_code == 302 and unquote(response.url).startswith("/login/?next=/")
    return LOG_IN if is_sent_away else response.status_code


@pytest.mark.parametrize("name", PAGES)
def test_access_of_everybody(client, arena, cookies, name):
    access = PAGES[name]
    address, data = make_address(name, arena), fill(access.data, arena)

    responses = {role: ask(client, cookies[role], address, access, data) for role in PEOPLE}

    answers = {role: read_answer(response) for role, response in responses.items()}
    assert answers == {role: expect_answer(name, access, role) for role in PEOPLE}
    assert {role: find_lacking(response) for role, response in responses.items() if find_lacking(response)} == {}


@pytest.mark.parametrize("name", PAGES)
def test_a_draft_is_there_for_its_hosts_alone(client, arena, cookies, name):
    access = PAGES[name]
    address, data = make_address(name, arena), fill(access.data, arena)
    Challenge.objects.update(state="draft")

    answers = {role: read_answer(ask(client, cookies[role], address, access, data)) for role in PEOPLE}

    others = {role: answer for role, answer in answers.items() if role not in HOSTS}
    assert name in APART_FROM_CHALLENGES or set(others.values()) <= {404, LOG_IN}
    if name == "badge":
        # It is the same for everybody.
        assert set(answers.values()) == {404}
    elif access.right == EVERYBODY:
        assert {answers[role] for role in HOSTS} == {access.welcome}


@pytest.mark.parametrize("name", [name for name, access in PAGES.items() if access.method == "post"])
def test_a_change_needs_a_post_and_the_token_of_a_form(arena, name):
    browser = Client(enforce_csrf_checks=True)
    person = arena.people["owner" if PAGES[name].right == HOST else "member"]
    browser.force_login(person)
    address = make_address(name, arena)
    before = (
        Team.objects.count(),
        Submission.objects.filter(state="cancelled").count(),
        ChallengeEvent.objects.count(),
    )

    led = browser.get(address, follow=True)
    assert led.redirect_chain
    assert (led.status_code, led.request["REQUEST_METHOD"]) == (200, "GET")
    assert browser.post(address, PAGES[name].data).status_code == 403
    after = (Team.objects.count(), Submission.objects.filter(state="cancelled").count(), ChallengeEvent.objects.count())
    assert after == before


@pytest.mark.parametrize(
    "address", ["captions/phases/none/", "none/", "captions/submissions/none/", "captions/phases/over/leaderboard/"]
)
def test_what_is_not_there_or_hidden(client, arena, address):
    client.force_login(arena.people["member"])

    assert client.get(f"/challenges/{address}").status_code == 404


def test_submissions_are_found_in_their_own_challenge_alone(client, arena):
    make_challenge("second", owner=arena.people["owner"])
    client.force_login(arena.people["owner"])

    assert client.get(f"/challenges/second/submissions/{arena.scored.token}/").status_code == 404
