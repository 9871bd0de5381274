"""Tests of the numbers of the monitoring page, the stopping rule and its interim looks."""

import pytest

from studies.enums import Interface, StudyState
from studies.models import AuditEntry, StoppingLook, Study
from tests.factories.studies import NOW, make_user
from tests.studies.api.views.conftest import Asker
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db
RULE = {"width": 0.001, "looks": 2, "max_judgments": 36}


@pytest.fixture
def rated(client):
    study = make_rated_study("study")
    study.owner = make_user("owner")
    study.save()
    client.force_login(study.owner)
    return study


@pytest.fixture
def researcher(client, rated):
    return Asker(client)


def test_counts_come_at_once_and_the_snapshot_from_a_worker(researcher):
    early = researcher.get("monitoring/").json()
    late = researcher.get("monitoring/", wait="on").json()

    counts = early["counts"]
    assert (counts["n_judgments"], counts["n_planned"], counts["n_raters"]) == (36, 12, 3)
    # Three raters judged each of twelve items.
    assert counts["completion"][3] == {"n_judgments": 3, "n_items": 12}
    assert len(counts["hours"]) == 24
    assert counts["hours"][-1]["start"].endswith("Z")
    assert (early["snapshot"], early["is_pending"]) == (None, True)
    snapshot = late["snapshot"]
    assert (snapshot["n_judgments"], late["is_pending"]) == (36, False)
    assert snapshot["agreement"]["coefficient"] == "krippendorff-ordinal"
    assert {line["metric"] for line in snapshot["growing"]["lines"]} == {"length", "rouge-l"}
    assert snapshot["growing"]["n_judgments"][-1] == 36
    assert snapshot["money"]["problem"] == "The design sets neither a reward nor an hourly wage."
    assert snapshot["quality"]["n_raters"] == 3


def test_amounts_are_strings_in_json(researcher, rated):
    version = rated.versions.get()
    version.design = {**version.design, "pay": {"currency": "EUR", "reward": 1.5, "hourly_wage": 12.0}}
    version.save()

    money = researcher.get("monitoring/", wait="on").json()["snapshot"]["money"]

    assert (money["currency"], money["hourly_wage"], money["spent"]) == ("EUR", "12.0", "0.00")


def test_a_rule_is_declared_looked_at_and_kept(researcher, rated):
    assert researcher.get("stopping/").status_code == 404

    declared = researcher.send("put", "stopping/", {**RULE, "metrics": ["rouge-l", "length"]})

    assert declared.status_code == 200
    assert declared.json() == researcher.get("stopping/").json()
    assert declared.json()["rule"] == {
        **RULE,
        "kind": "interval-width",
        "measure": "",
        "metrics": ["rouge-l", "length"],
        "spending": "obrien-fleming",
        "alpha": 0.05,
        "closes_study": False,
    }
    assert declared.json()["looks"] == [{"number": n, "due_at": 18 * n, "taken": None} for n in (1, 2)]
    assert (declared.json()["next_look"], declared.json()["is_due"], declared.json()["said_stop"]) == (2, True, None)
    assert [entry.interface for entry in AuditEntry.objects.filter(action="designed")] == [Interface.API]

    taken = researcher.send("post", "stopping/looks/")

    # All planned judgments are there, so that it is the end whatever the intervals.
    assert (taken.status_code, taken.json()["number"], taken.json()["says_stop"]) == (201, 2, True)
    assert [finding["what"] for finding in taken.json()["findings"]] == ["length", "rouge-l"]
    assert taken.json()["taken_by"] == "owner"
    assert researcher.get("stopping/looks/").json()["results"] == [taken.json()]
    state = researcher.get("stopping/").json()
    assert (state["next_look"], state["said_stop"], state["looks"][1]["taken"]) == (None, 2, taken.json())
    assert AuditEntry.objects.get(action="looked").interface == Interface.API
    Study.objects.filter(pk=rated.pk).update(state=StudyState.OPEN, started_at=NOW)
    again, other = researcher.send("post", "stopping/looks/"), researcher.send("put", "stopping/", {"looks": 3})
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "the rule was met at look 2, so there are no further looks",
    )
    assert (other.status_code, other.json()["detail"][:28]) == (409, "Cannot be changed after an i")
    assert StoppingLook.objects.count() == 1


def test_a_rule_is_taken_back(researcher):
    researcher.send("put", "stopping/", RULE)

    assert researcher.send("delete", "stopping/").status_code == 204
    assert researcher.get("stopping/").status_code == 404
    assert "has no stopping rule" in researcher.send("post", "stopping/looks/").json()["detail"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"width": 0}, "stopping_rule.width"),
        ({"alpha": 0}, "stopping_rule.alpha"),
        ({"looks": 21}, "looks"),
        ({"metrics": ["a,b"]}, "metrics.0"),
        ({"kind": "never"}, "kind"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(researcher, given, field):
    response = researcher.send("put", "stopping/", given)

    assert response.status_code == 400
    assert [error["field"] for error in response.json()["errors"]] == [field]
    assert researcher.get("stopping/").status_code == 404
