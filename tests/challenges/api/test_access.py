"""Tests of the response of every method of the API of challenges to each kind of person, and to tokens."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from challenges.api.urls import urlpatterns
from challenges.models import Challenge, TeamMember, TeamToken
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole
from tests.challenges.api.programs import make_program
from tests.challenges.challenges import make_challenge, make_team, write_results
from tests.challenges.people import HOSTS, PEOPLE, begin
from tests.challenges.views.test_permissions import (
    CHALLENGE,
    EVERYBODY,
    MEMBER,
    PHASE,
    SUBMISSION,
    TEAM,
    TEAM_AND_HOSTS,
    Access,
    ask,
    fill,
    find_upload,
)
from tests.factories.studies import make_study
from tests.studies.api_endpoints import METHODS
from tests.studies.views.test_headers import find_lacking

pytestmark = pytest.mark.django_db
UPLOAD = {**CHALLENGE, "token": find_upload}
FILE = {"name": "x.json", "n_bytes": 10}
API = {
    "challenges GET": Access(EVERYBODY, arguments={}),
    "challenge GET": Access(EVERYBODY),
    "phase GET": Access(EVERYBODY, arguments=PHASE),
    "leaderboard GET": Access(EVERYBODY, arguments=PHASE),
    "leaderboard_file GET": Access(EVERYBODY, arguments={**PHASE, "file_format": "csv"}),
    "submissions GET": Access(MEMBER, arguments=PHASE, refusal=403),
    "submissions POST": Access(MEMBER, "post", PHASE, data=write_results(), answer=202, refusal=403),
    "uploads POST": Access(MEMBER, "post", PHASE, data=FILE, answer=201, refusal=403),
    "submission GET": Access(TEAM_AND_HOSTS, arguments=SUBMISSION),
    # Another content type, which is told to who may send parts, and to everybody else.
    "submission PATCH": Access(TEAM, "patch", UPLOAD, answer=400),
    # It is not complete.
    "finish POST": Access(TEAM, "post", UPLOAD, answer=409),
    "cancel POST": Access(TEAM, "post", UPLOAD, answer=200),
    "hide POST": Access(TEAM, "post", SUBMISSION, answer=200),
    "show_again POST": Access(TEAM, "post", SUBMISSION, answer=200),
}
"""Name of a route and a method -> its access."""


def test_every_method_has_a_row():
    methods = {
        f"{each.name} {method.upper()}"
        for each in urlpatterns
        for method in METHODS
        if hasattr(each.callback.view_class, method)
    }
    assert methods == set(API)


def expect_answer(access: Access, person: str) -> int:
    if access.right == EVERYBODY:
        return access.welcome
    if person in ("anonymous", "dismissed"):
        return 401
    is_inside = {
        MEMBER: person in ("member", "rival"),
        TEAM: person in ("member", "superuser"),
        TEAM_AND_HOSTS: person == "member" or person in HOSTS,
    }[access.right]
    if not is_inside and access.right == TEAM and person in HOSTS:
        return 403
    return access.welcome if is_inside else access.refusal


class _Json:
    """A client that sends what it is given as JSON."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        method = getattr(self.client, name)
        if name in ("post", "patch"):
            return lambda address, data: method(address, data, content_type="application/json")
        return method


@pytest.mark.parametrize("name", API)
def test_access_of_everybody(client, arena, name):
    access, (route, _) = API[name], name.split()
    address = reverse(f"challenges-api:{route}", kwargs=fill(access.arguments, arena))
    if name == "submission PATCH":
        client.patch = lambda address, *_, **__: Client.patch(
            client, address, b"x", content_type="application/octet-stream"
        )

    responses = {role: ask(_Json(client), arena.people[role], address, access, access.data) for role in PEOPLE}

    assert {role: each.status_code for role, each in responses.items()} == {
        role: expect_answer(access, role) for role in PEOPLE
    }
    assert {role: find_lacking(each) for role, each in responses.items() if find_lacking(each)} == {}
    refusals = {each["Content-Type"] for each in responses.values() if each.status_code >= 400}
    assert refusals <= {"application/problem+json"}


@pytest.mark.parametrize("name", API)
def test_a_draft_is_there_for_its_hosts_alone(client, arena, name):
    access, (route, _) = API[name], name.split()
    address = reverse(f"challenges-api:{route}", kwargs=fill(access.arguments, arena))
    Challenge.objects.update(state="draft")

    responses = {role: ask(_Json(client), arena.people[role], address, access, access.data) for role in PEOPLE}

    others = {each.status_code for role, each in responses.items() if role not in HOSTS}
    assert name == "challenges GET" or others <= {401, 404}
    if access.right == EVERYBODY:
        assert {responses[role].status_code for role in HOSTS} == {200}
    if name == "challenges GET":
        assert {role: responses[role].json()["count"] for role in PEOPLE} == {
            role: int(role in HOSTS) for role in PEOPLE
        }


def test_a_token_submits_for_its_team_alone(arena):
    program = make_program(arena.team)
    other = make_challenge("second")
    make_team(other, "Puma")
    root = "/api/v1/challenges/captions/"

    sent = program.post(f"{root}phases/test/submissions/", write_results(), content_type="application/json")

    assert sent.json()["team"] == "Lynx"
    assert program.get(f"{root}submissions/{arena.scored.token}/").status_code == 200
    assert program.get(f"{root}submissions/{arena.others_scored.token}/").status_code == 404
    assert program.get("/api/v1/challenges/second/").status_code == 200
    assert program.get("/api/v1/studies/").status_code == 401


def test_a_token_has_no_permission_of_a_host(arena):
    """A script of a team that a host is in sees no drafts and no hidden names."""
    TeamMember.objects.create(
        team=arena.team, challenge=arena.challenge, user=arena.people["owner"], joined_at=timezone.now()
    )
    _, secret = make_team_token(arena.team, name="script", by=arena.people["owner"], now=timezone.now())
    program = Client(headers={"authorization": f"Bearer {secret}"})
    make_challenge("draft", owner=arena.people["owner"], state="draft")
    Challenge.objects.update(is_anonymous=True)
    root = "/api/v1/challenges/"

    assert program.get(f"{root}draft/").status_code == 404
    assert program.get(f"{root}captions/phases/over/leaderboard/").status_code == 404
    board = program.get(f"{root}captions/phases/test/leaderboard/").json()
    assert {each["team"] for each in board["entries"]} == {"Anonymous"}
    assert [each["is_own"] for each in board["entries"]].count(True) == 1
    assert program.get(f"{root}captions/submissions/{arena.others_scored.token}/").status_code == 404


def test_invalid_tokens_are_refused(arena):
    address = f"/api/v1/challenges/captions/submissions/{arena.scored.token}/"
    revoked, expired = make_program(arena.team), make_program(arena.team, days=1)
    TeamToken.objects.filter(pk=TeamToken.objects.order_by("pk").first().pk).update(revoked_at=timezone.now())
    TeamToken.objects.filter(revoked_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    study = make_study(owner=arena.people["member"])
    actor = Actor(arena.people["member"], Interface.PAGE)
    of_study = make_token(study, name="x", role=MemberRole.EDITOR, actor=actor, now=timezone.now()).secret
    others = [Client(headers={"authorization": f"Bearer {text}"}) for text in (of_study, "acc_nobody", "a b")]

    answers = [each.get(address) for each in (revoked, expired, *others, Client())]

    assert [each.status_code for each in answers] == [401] * 6
    assert {each["WWW-Authenticate"] for each in answers} == {'Bearer realm="api"'}


def test_a_login_needs_the_token_of_a_form(arena):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(arena.people["member"])

    refused = browser.post(f"/api/v1/challenges/captions/submissions/{begin(arena).token}/cancel/")

    assert refused.status_code == 403
    assert refused.json()["detail"].startswith("CSRF Failed")
