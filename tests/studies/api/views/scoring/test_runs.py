"""Tests of requesting runs, also of metrics fitted on another study's judgments."""

import sys

import pytest
from django.utils import timezone

from metrics_plugins.api.resources import install_extras
from studies.access.audit import Actor
from studies.access.tokens import make_token
from studies.enums import Interface, MemberRole, RequestState
from studies.models import RequestedMetric, ScoringRequest
from tests.factories.studies import make_member
from tests.studies.api.views.conftest import STUDY
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
LEARNING = {"metrics": ["critic-judgments"], "judgments": "other"}


@pytest.fixture
def other():
    return make_scored_study("other", values=(1, 3), score=False)


def test_a_run_learns_from_the_judgments_of_a_study_that_one_may_read(api, study, other):
    make_member(other, study.owner, MemberRole.VIEWER)

    made = api.send("post", "runs/", LEARNING)

    assert (made.status_code, made.json()["judgments"]) == (202, "other")
    assert ScoringRequest.objects.get().judging == other
    assert api.get(f"runs/{made.json()['id']}/").json()["judgments"] == "other"


@pytest.mark.parametrize("named", ["other", "nowhere"])
def test_what_one_may_not_read_is_told_as_what_there_is_not(api, other, named):
    refused = api.send("post", "runs/", {**LEARNING, "judgments": named})

    told = f"There is no study '{named}' that you may read here, with judgments of the same items."
    assert (refused.status_code, told in refused.content.decode()) == (400, True)
    assert not ScoringRequest.objects.exists()


def test_a_token_reads_the_judgments_of_its_own_study_only(client, study, other):
    make_member(other, study.owner, MemberRole.VIEWER)
    actor = Actor(user=study.owner, interface=Interface.PAGE)
    made = make_token(study, name="script", role=MemberRole.ANALYST, actor=actor, now=timezone.now())
    headers = {"authorization": f"Bearer {made.secret}"}

    for named, status in [("other", 400), ("study", 202)]:
        data = {**LEARNING, "judgments": named}
        answer = client.post(f"{STUDY}runs/", data, content_type="application/json", headers=headers)
        assert answer.status_code == status

    assert ScoringRequest.objects.get().judging is None


def test_a_run_states_how_many_metrics_have_scores(api, study):
    made = api.send("post", "runs/", {"metrics": ["length", "rouge-l"]}).json()
    assert (made["n_metrics"], made["n_scored"], made["is_partial"]) == (2, 2, False)
    ScoringRequest.objects.update(state=RequestState.FINISHED)
    RequestedMetric.objects.filter(metric="rouge-l").update(state=RequestState.FAILED, message="it exits")

    listed, shown = api.get("runs/").json()["results"][0], api.get(f"runs/{made['id']}/").json()

    for run in (listed, shown):
        assert (run["state"], run["n_metrics"], run["n_scored"], run["is_partial"]) == ("finished", 2, 1, True)


def test_a_run_of_a_metric_that_lacks_something_is_refused(api, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)

    refused = api.send("post", "runs/", {"metrics": ["length", "meteor"]})

    told = f"metric meteor: needs pycocoevalcap, which is not installed: {install_extras('meteor')}"
    assert (refused.status_code, refused.json()["detail"]) == (409, told)
    assert not ScoringRequest.objects.exists()


def test_a_run_states_its_estimated_and_its_computing_time(api):
    estimates = {each["metric"]: each["estimated_seconds"] for each in api.get("metrics/").json()}
    made = api.send("post", "runs/", {"metrics": ["bleu-1", "cider-d"]}).json()
    RequestedMetric.objects.filter(metric="cider-d").update(seconds=2.5)

    shown = api.get(f"runs/{made['id']}/").json()

    told = {each["metric"]: each["estimated_seconds"] for each in shown["metrics"]}
    # Both load the same, which the estimate of the first includes for both.
    assert told["bleu-1"] == pytest.approx(estimates["bleu-1"], abs=0.2)
    assert 0 < told["cider-d"] < estimates["cider-d"]
    assert (made["computed_seconds"], shown["computed_seconds"]) == (0.0, 2.5)
    assert shown["estimated_seconds"] == pytest.approx(told["bleu-1"] + told["cider-d"])
    # Scored already.
    assert estimates["length"] == 0.0
