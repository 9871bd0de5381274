"""Tests of hosting by programs: challenges from plans, what hosts see, and their actions with reasons."""

import tomllib
from copy import deepcopy
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from challenges.models import Challenge, ChallengeEvent, Phase
from jobs.models import Job
from tests.challenges.api.programs import make_host_program, make_program
from tests.challenges.api.test_access import PLAN, own_dataset
from tests.challenges.challenges import write_results

pytestmark = pytest.mark.django_db
ROOT = "/api/v1/challenges/"
OWN = f"{ROOT}captions/"
FILE = Path(__file__).resolve().parents[1] / "hosting/plan.toml"


@pytest.fixture
def host(arena):
    own_dataset(arena)
    return make_host_program(arena.people["owner"])


def post(program, address, data=None):
    return program.post(address, data or {}, content_type="application/json")


def change(path, value):
    """Return the plan with another value at a path such as `phases.0.slug`."""
    plan = deepcopy(PLAN)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    inner = plan
    for step in steps:
        inner = inner[step]
    inner[last] = value
    return plan


def test_a_challenge_is_made_from_a_plan(host, arena):
    made = post(host, ROOT, PLAN)

    assert made.status_code == 201
    shown = made.json()
    assert (shown["challenge"], shown["state"], shown["owner"]) == ("planned", "draft", "owner")
    assert [each["phase"] for each in shown["phases"]] == ["dev"]
    assert shown == host.get(made["Location"]).json()
    challenge = Challenge.objects.get(slug="planned")
    assert challenge.phases.get().closes_at.isoformat() == "2090-01-31T23:00:00+00:00"
    event = challenge.events.get()
    assert (event.action, event.interface, event.actor_name) == ("created", "api", "owner")


def test_a_file_for_the_command_is_a_plan(host, arena):
    plan = {**tomllib.loads(FILE.read_text()), "dataset": arena.challenge.dataset.name}
    made = host.post(ROOT, DjangoJSONEncoder().encode(plan), content_type="application/json")

    assert made.status_code == 201
    assert made.json()["problems"] == [
        "phase dev: it has already ended",
        "phase test: it has already ended",
    ]
    assert Phase.objects.get(challenge__slug="coco", slug="test").metrics.get().params == {"tokenizer": "ptb"}


def test_a_dry_run_tells_what_would_prevent_the_opening_and_stores_nothing(host, arena):
    dry = post(host, f"{ROOT}?dry_run=true", change("phases.0.references", [{"name": "c9", "count": 9}]))

    assert dry.status_code == 200
    assert dry.json()["problems"] == ["phase dev: none of 4 images has the references c9"]
    assert not Challenge.objects.filter(slug="planned").exists()
    assert not ChallengeEvent.objects.exists()
    assert post(host, f"{ROOT}?dry_run=true", change("slug", "captions")).status_code == 409


@pytest.mark.parametrize(
    ("path", "value", "status", "told"),
    [
        ("colour", "red", 400, "colour"),
        ("phases.0.closes_at", "2027-01-31T12:00:00", 400, "must have a time zone"),
        ("phases.0.closes_at", "9999-12-31T23:59:59Z", 400, "must be in the years 2000 to 2999"),
        ("phases.0.closes_at", "2026-11-01T00:00:00Z", 409, "must open before it closes"),
        ("phases.0.split", "x" * 41, 400, "at most 40 letters"),
        ("phases.0.metrics", [{"metric": "clip-score"}], 409, "do not allow the metric 'clip-score'"),
        ("phases.0.metrics", [{"metric": "rouge-l", "params": {"tokenizer": "x"}}], 409, "tokenizer"),
        ("phases.0.metrics", [{"metric": "rouge-l", "params": {"tokenizer": {}}}], 409, "rouge-l"),
        ("phases.0.metrics", [{"metric": "cider-d", "params": {"sigma": "x"}}], 409, "cider-d"),
        ("phases.0.metrics", [{"metric": "cider-d", "params": {"df": "/etc/passwd"}}], 409, "names a file"),
        ("dataset", "none", 409, "there is no dataset 'none'"),
        ("slug", "captions", 409, "there is already a challenge"),
    ],
)
def test_the_errors_of_a_plan_are_told(host, arena, path, value, status, told):
    refused = post(host, ROOT, change(path, value))

    assert (refused.status_code, refused["Content-Type"]) == (status, "application/problem+json")
    assert told in refused.json()["detail"]
    assert Challenge.objects.count() == 1


def test_hosts_list_teams_submissions_and_events(host, arena):
    make_program(arena.team).post(f"{OWN}phases/test/submissions/", write_results(), content_type="application/json")
    post(host, f"{OWN}host/close/", {"reason": "The server moves."})

    shown = host.get(f"{OWN}host/").json()
    (phase,) = [each for each in shown["phases"] if each["phase"] == "test"]
    assert (shown["state"], shown["hosts"], shown["dataset"]) == ("closed", ["cohost"], "captions-data")
    assert (phase["n_scored"], phase["n_failed"], phase["n_moving"]) == (2, 0, 1)
    assert "phase over: it has already ended" in shown["problems"]
    teams = host.get(f"{OWN}host/teams/").json()["results"]
    assert [(each["name"], each["members"], each["n_submissions"]) for each in teams] == [
        ("Ibex", ["member-of-Ibex"], 1),
        ("Lynx", ["member-of-Lynx"], 2),
    ]
    sent = host.get(f"{OWN}host/submissions/").json()["results"]
    assert [(each["team"], each["made_by"]) for each in sent][:2] == [
        ("Lynx", "member-of-Lynx"),
        ("Ibex", "member-of-Ibex"),
    ]
    (event,) = host.get(f"{OWN}host/events/").json()["results"]
    assert (event["action"], event["actor"], event["interface"]) == ("closed", "owner", "api")
    assert event["reason"] == "The server moves."


def test_a_challenge_is_opened_closed_and_copied(host, arena):
    closed = post(host, f"{OWN}host/close/", {"reason": "The server moves."})
    refused = post(host, f"{OWN}host/open/")
    Phase.objects.filter(slug="over").update(closes_at=timezone.now() + timedelta(days=1))
    opened = post(host, f"{OWN}host/open/")
    copied = post(host, f"{OWN}host/copy/", {"challenge": "again"})

    assert (closed.json()["state"], opened.json()["state"], opened.json()["problems"]) == ("closed", "open", [])
    assert (refused.status_code, "has already ended" in refused.json()["detail"]) == (409, True)
    assert (copied.status_code, copied["Location"]) == (201, f"http://testserver{ROOT}again/host/")
    assert Challenge.objects.get(slug="again").owner == arena.people["owner"]
    assert post(host, f"{OWN}host/copy/", {"challenge": "again"}).status_code == 409
    assert set(ChallengeEvent.objects.values_list("action", "interface")) == {
        ("closed", "api"),
        ("opened", "api"),
        ("cloned", "api"),
    }


def test_phases_teams_and_submissions_are_changed_for_a_reason(host, arena):
    reason = {"reason": "The server was down."}
    limit = {**reason, "phase": "test", "per_day": 9, "in_all": 200}
    address = f"{OWN}submissions/{arena.scored.token}/"

    raised = post(host, f"{OWN}host/teams/{arena.team.pk}/limit/", limit).json()
    extended = post(host, f"{OWN}phases/over/extend/", {**reason, "closes_at": "2090-01-31T12:00:00Z"}).json()
    again = post(host, f"{OWN}phases/test/score-again/", reason).json()
    disqualified = post(host, f"{address}disqualify/", reason).json()
    reinstated = post(host, f"{address}reinstate/", reason).json()

    assert raised["limits"] == [{"phase": "test", "per_day": 9, "in_all": 200, "reason": reason["reason"]}]
    assert {each["phase"]: each["closes_at"] for each in extended["phases"]}["over"] == "2090-01-31T12:00:00Z"
    assert (again["challenge"], Job.objects.filter(state="queued").count()) == ("captions", 2)
    assert (disqualified["disqualified_because"], reinstated["disqualified_because"]) == (reason["reason"], "")
    assert list(ChallengeEvent.objects.order_by("pk").values_list("action", "interface", "reason")) == [
        (action, "api", reason["reason"]) for action in ("raised", "extended", "rescored", "disqualified", "reinstated")
    ]


def test_a_final_leaderboard_is_recorded_with_its_digest(host, arena):
    early = post(host, f"{OWN}phases/test/make-final/")
    final = post(host, f"{OWN}phases/over/make-final/").json()

    assert (early.status_code, early.json()["detail"]) == (409, "the phase is not over")
    (phase,) = [each for each in final["phases"] if each["phase"] == "over"]
    assert phase["is_final"]
    event = ChallengeEvent.objects.get()
    assert (event.action, event.details) == ("final", {"phase": "over", "digest": phase["digest"]})


@pytest.mark.parametrize(
    ("address", "data", "field"),
    [
        ("host/close/", {}, "reason"),
        ("host/close/", {"reason": " "}, "reason"),
        ("host/close/", {"reason": "x" * 501}, "reason"),
        ("host/close/", {"reason": "x", "why": "y"}, "why"),
        ("host/copy/", {"challenge": "a b"}, "challenge"),
        ("host/teams/{team}/limit/", {"reason": "x", "phase": "none", "per_day": 9, "in_all": 200}, "phase"),
        ("phases/test/extend/", {"reason": "x", "closes_at": "soon"}, "closes_at"),
        ("phases/test/extend/", {"reason": "x", "closes_at": "9999-12-31T23:59:59Z"}, "closes_at"),
    ],
)
def test_what_is_not_given_rightly_is_refused(host, arena, address, data, field):
    refused = post(host, f"{OWN}{address.format(team=arena.team.pk)}", data)

    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, field)
    assert not ChallengeEvent.objects.exists()


def test_what_is_not_there(host, arena):
    reason = {"reason": "x"}

    for address in ("phases/none/score-again/", "submissions/none/disqualify/", "host/teams/0/limit/"):
        assert post(host, f"{OWN}{address}", reason).status_code == 404
    assert host.get(f"{ROOT}none/host/").status_code == 404
