"""Tests of the response of every method of the API of challenges to each kind of person, and to tokens."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from challenges.api.urls import urlpatterns
from challenges.models import Challenge, HostToken, TeamMember, TeamToken
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole
from studies.models import Study
from tests.challenges.api.programs import make_host_program, make_program
from tests.challenges.challenges import make_challenge, make_team, write_results
from tests.challenges.people import HOSTS, PEOPLE, begin
from tests.challenges.views.test_permissions import (
    CHALLENGE,
    EVERYBODY,
    HOST,
    MEMBER,
    OWN_TEAM,
    PHASE,
    SUBMISSION,
    TEAM,
    TEAM_AND_HOSTS,
    Access,
    ask,
    fill,
    find_baseline,
    find_upload,
)
from tests.factories.studies import make_study
from tests.studies.api_endpoints import METHODS
from tests.studies.views.test_headers import find_lacking

pytestmark = pytest.mark.django_db
UPLOAD = {**CHALLENGE, "token": find_upload}
FILE = {"name": "x.json", "n_bytes": 10}
OWNER_OF_DATA = "owner of the dataset"
REASON = {"reason": "The server was down."}
LIMIT = {**REASON, "phase": "test", "per_day": 9, "in_all": 200}
DEADLINE = {**REASON, "closes_at": "2090-01-31T12:00:00Z"}
PLAN = {
    "slug": "planned",
    "title": "Planned",
    "dataset": "captions-data",
    "phases": [
        {
            "slug": "dev",
            "title": "Development",
            "opens_at": "2026-12-01T00:00:00Z",
            "closes_at": "2090-02-01T00:00:00+01:00",
            "metrics": [{"metric": "rouge-l"}],
            "references": [{"name": "c2", "count": 2}],
        }
    ],
}
API = {
    "challenges GET": Access(EVERYBODY, arguments={}),
    "challenge GET": Access(EVERYBODY),
    "phase GET": Access(EVERYBODY, arguments=PHASE),
    "leaderboard GET": Access(EVERYBODY, arguments=PHASE),
    "leaderboard_file GET": Access(EVERYBODY, arguments={**PHASE, "file_format": "csv"}),
    "history GET": Access(EVERYBODY, arguments=OWN_TEAM),
    "submissions GET": Access(MEMBER, arguments=PHASE, refusal=403),
    "submissions POST": Access(MEMBER, "post", PHASE, data=write_results(), answer=202, refusal=403),
    "uploads POST": Access(MEMBER, "post", PHASE, data=FILE, answer=201, refusal=403),
    "submission GET": Access(TEAM_AND_HOSTS, arguments=SUBMISSION),
    # Another content type, which is told to who may send parts, and to everybody else.
    "submission PATCH": Access(TEAM, "patch", UPLOAD, answer=400),
    "received GET": Access(TEAM, arguments=UPLOAD),
    # It is not complete.
    "finish POST": Access(TEAM, "post", UPLOAD, answer=409),
    "cancel POST": Access(TEAM, "post", UPLOAD, answer=200),
    "hide POST": Access(TEAM, "post", SUBMISSION, answer=200),
    "show_again POST": Access(TEAM, "post", SUBMISSION, answer=200),
    "challenges POST": Access(OWNER_OF_DATA, "post", {}, data=PLAN, answer=201, refusal=409),
    "host GET": Access(HOST, refusal=403),
    "teams GET": Access(HOST, refusal=403),
    "all_submissions GET": Access(HOST, refusal=403),
    "events GET": Access(HOST, refusal=403),
    # It is open already.
    "open POST": Access(HOST, "post", answer=409, refusal=403),
    "close POST": Access(HOST, "post", data=REASON, answer=200, refusal=403),
    "copy POST": Access(HOST, "post", data={"challenge": "again"}, answer=201, refusal=403),
    "raise_limit POST": Access(
        HOST, "post", {**CHALLENGE, "team": lambda arena: arena.team.pk}, data=LIMIT, answer=200, refusal=403
    ),
    "extend POST": Access(HOST, "post", PHASE, data=DEADLINE, answer=200, refusal=403),
    "score_again POST": Access(HOST, "post", PHASE, data=REASON, answer=202, refusal=403),
    # The phase is not over.
    "make_final POST": Access(HOST, "post", PHASE, answer=409, refusal=403),
    "baselines GET": Access(HOST, arguments=PHASE, refusal=403),
    "baselines POST": Access(HOST, "post", PHASE, data={"kind": "human"}, answer=202, refusal=403),
    "baseline_remove POST": Access(
        HOST, "post", {**CHALLENGE, "token": find_baseline}, data=REASON, answer=200, refusal=403
    ),
    "disqualify POST": Access(HOST, "post", SUBMISSION, data=REASON, answer=200, refusal=403),
    "reinstate POST": Access(HOST, "post", SUBMISSION, data=REASON, answer=200, refusal=403),
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
        HOST: person in HOSTS,
        OWNER_OF_DATA: person in ("owner", "superuser"),
    }[access.right]
    if not is_inside and access.right == TEAM and person in HOSTS:
        return 403
    return access.welcome if is_inside else access.refusal


def own_dataset(arena):
    """Give the owner a study of the dataset, from which they may make challenges."""
    Study.objects.filter(pk=make_study(owner=arena.people["owner"]).pk).update(dataset=arena.challenge.dataset)


class _Json:
    """A client that sends what it is given as JSON."""

    def __init__(self, client):
        self.client = client

    @property
    def cookies(self):
        return self.client.cookies

    @cookies.setter
    def cookies(self, cookies):
        self.client.cookies = cookies

    def __getattr__(self, name):
        method = getattr(self.client, name)
        if name in ("post", "patch"):
            return lambda address, data: method(address, data, content_type="application/json")
        return method


@pytest.mark.parametrize("name", API)
def test_access_of_everybody(client, arena, cookies, name):
    access, (route, _) = API[name], name.split()
    address = reverse(f"challenges-api:{route}", kwargs=fill(access.arguments, arena))
    own_dataset(arena)
    if name == "submission PATCH":
        client.patch = lambda address, *_, **__: Client.patch(
            client, address, b"x", content_type="application/octet-stream"
        )

    responses = {role: ask(_Json(client), cookies[role], address, access, access.data) for role in PEOPLE}

    assert {role: each.status_code for role, each in responses.items()} == {
        role: expect_answer(access, role) for role in PEOPLE
    }
    assert {role: find_lacking(each) for role, each in responses.items() if find_lacking(each)} == {}
    refusals = {each["Content-Type"] for each in responses.values() if each.status_code >= 400}
    assert refusals <= {"application/problem+json"}


@pytest.mark.parametrize("name", API)
def test_a_draft_is_there_for_its_hosts_alone(client, arena, cookies, name):
    access, (route, _) = API[name], name.split()
    address = reverse(f"challenges-api:{route}", kwargs=fill(access.arguments, arena))
    own_dataset(arena)
    Challenge.objects.update(state="draft")

    responses = {role: ask(_Json(client), cookies[role], address, access, access.data) for role in PEOPLE}

    others = {each.status_code for role, each in responses.items() if role not in HOSTS}
    assert access.arguments == {} or others <= {401, 404}
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


@pytest.mark.parametrize("name", [name for name, access in API.items() if access.right in (HOST, OWNER_OF_DATA)])
def test_a_token_for_hosting_does_what_its_maker_may(arena, name):
    access, (route, _) = API[name], name.split()
    own_dataset(arena)
    address = reverse(f"challenges-api:{route}", kwargs=fill(access.arguments, arena))
    TeamMember.objects.create(
        team=arena.team, challenge=arena.challenge, user=arena.people["owner"], joined_at=timezone.now()
    )
    _, secret = make_team_token(arena.team, name="script", by=arena.people["owner"], now=timezone.now())
    programs = {
        "owner": make_host_program(arena.people["owner"]),
        "rival": make_host_program(arena.people["rival"]),
        "team": Client(headers={"authorization": f"Bearer {secret}"}),
    }
    extra = {"content_type": "application/json"} if access.method == "post" else {}

    answers = {
        role: getattr(program, access.method)(address, access.data, **extra).status_code
        for role, program in reversed(programs.items())
    }

    assert answers == {"owner": access.welcome, "rival": access.refusal, "team": 401}


def test_a_token_for_hosting_takes_no_part_and_reaches_no_challenge_of_others(arena):
    program = make_host_program(arena.people["superuser"])
    root = "/api/v1/challenges/captions/"

    assert program.get(f"{root}host/").status_code == 403
    assert program.get(root).status_code == 401
    sent = program.post(f"{root}phases/test/submissions/", write_results(), content_type="application/json")
    assert sent.status_code == 401
    assert program.get("/api/v1/studies/").status_code == 401
    HostToken.objects.update(revoked_at=timezone.now())
    assert program.get(f"{root}host/").status_code == 401


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
