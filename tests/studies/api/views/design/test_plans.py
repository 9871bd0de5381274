"""Tests of preregistrations, deviations from them, and the planner."""

import hashlib
import json

import pytest

from correlation.planning.sizes import plan_preference
from studies.enums import TaskRole
from studies.models import Assignment, Judgment, Task
from tests.factories.studies import NOW, make_rater

pytestmark = pytest.mark.django_db
PLAN = {
    "protocol": "flickr8k-expert@1",
    "coefficient": "kendall-c",
    "metrics": ["rouge-l", "length"],
    "test": "perm-both",
    "stopping_rule": "When every task has a rater.",
}


def test_a_preregistration_is_frozen_and_can_be_checked(api):
    Judgment.objects.all().delete()

    made = api.send("post", "preregistrations/", PLAN)
    kept = api.client.get(made.json()["file"])

    assert made.status_code == 201
    assert (made.json()["number"], made.json()["frozen_by"]) == (1, "owner")
    assert hashlib.sha256(kept.content).hexdigest() == made.json()["sha256"]
    assert json.loads(kept.content)["plan"] == {
        **PLAN,
        "metrics": ["length", "rouge-l"],
        "alpha": 0.05,
        "correction": "holm",
    }
    assert api.get("preregistrations/").json()["results"] == [made.json()]


def test_invalid_preregistrations_are_refused(api):
    response = api.send("post", "preregistrations/", {**PLAN, "coefficient": "pearson", "metrics": ["nothing"]})

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {"field": "metrics", "message": "Not installed: nothing"},
        {"field": "coefficient", "message": "The protocol only has kendall-c."},
    ]


def test_no_preregistration_after_the_first_task(api, study):
    task = Task.objects.filter(study=study, role=TaskRole.MAIN).first()
    rater = make_rater(study, "another")
    version = study.versions.get()
    Assignment.objects.create(
        study=study, task=task, rater=rater, version=version, shown={}, leased_at=NOW, expires_at=NOW
    )

    response = api.send("post", "preregistrations/", PLAN)

    assert response.status_code == 409
    assert response.json()["detail"].startswith("study study has judgments or has started")


def test_deviations_are_listed(api):
    Judgment.objects.all().delete()
    assert api.get("deviations/").json() == []
    api.send("post", "preregistrations/", {**PLAN, "metrics": ["length"]})

    assert api.get("deviations/").json() == [{"what": "metrics added", "preregistered": "length", "now": "rouge-l"}]


def test_the_planner_says_what_the_engine_says(api):
    asked = {"what": "preference", "assumptions": {"share": 0.6}, "seconds": 30, "wage": 12}

    response = api.send("post", "plan/", asked)

    found, plan = response.json(), plan_preference(share=0.6)
    assert (response.status_code, found["plan"]["n"], found["assumptions"]) == (200, plan.n, {"share": 0.6})
    # So many judgments of half a minute at 12 an hour.
    assert found["cost"]["price"] == pytest.approx(plan.judgments * 0.1)


def test_a_question_without_its_assumptions(api):
    response = api.send("post", "plan/", {"what": "preference"})

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {"message": "plan preference needs share and takes ties, design-effect, power, alpha; missing: share"}
    ]


def test_a_pilot_study_must_be_visible_to_the_user(api):
    response = api.send("post", "plan/", {"what": "preference", "pilot": "secret"})

    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "pilot")


@pytest.mark.parametrize(
    ("protocol", "coefficient", "test"),
    [
        ("flickr8k-expert@1", "kendall-c", "perm-input"),
        ("custom@1|rows:all|refs:all|ratings:mean|level:system|coef:pearson", "pearson", "perm-system"),
    ],
)
def test_a_plan_without_a_test_has_the_default_of_its_protocol(api, protocol, coefficient, test):
    Judgment.objects.all().delete()
    left_out = {name: value for name, value in PLAN.items() if name != "test"}

    made = api.send("post", "preregistrations/", {**left_out, "protocol": protocol, "coefficient": coefficient})

    assert made.status_code == 201
    assert json.loads(api.client.get(made.json()["file"]).content)["plan"]["test"] == test
