"""Tests of simulations of each panel, at the real pages with a separate database."""

import json

import pytest
from django.core.management import CommandError, call_command

from studies.design.study_design import Checks, ExclusionRules, Pay, Qualification
from studies.enums import PanelKind
from studies.models import Judgment, Rater, Study
from studies.simulation.study_copies import IN_COPY, NotACopy, export_study
from tests.studies.collection.assignment.staged import make_staged_study

pytestmark = pytest.mark.django_db(transaction=True)
DESIGN = {
    "qualification": Qualification(pass_share=1.0, attempts=2),
    "checks": Checks(every=2),
    "exclusion_rules": ExclusionRules(failed_checks=0),
    "pay": Pay(currency="EUR", reward=1.0, hourly_wage=12.0, budget=100.0, fee_share=0.3),
    "raters_per_task": 10,
    "task_seconds": 20,
    "lease_minutes": 10,
}


def _make_study(**design):
    return make_staged_study(training=1, trial=1, gold=2, attention=1, main=6, is_open=False, **{**DESIGN, **design})


def _simulate(capfd, *arguments):
    capfd.readouterr()
    call_command("simulate", "study", "--raters=10", "--json", *arguments)
    return json.loads(capfd.readouterr().out)


@pytest.mark.slow
@pytest.mark.parametrize("panel", list(PanelKind))
def test_every_part_ends_as_the_panel_expects(capfd, panel):
    _make_study()

    report = _simulate(capfd, f"--panel={panel}")

    rows = {row["behaviour"]: row for row in report["rows"]}
    assert report["problems"] == []
    assert report["n_raters"] == 10
    assert rows["attentive"]["outcomes"] == "4 finished"
    assert rows["double-opening"]["outcomes"] == "1 finished"
    assert rows["declining"]["outcomes"] == "1 not stored"
    # Six main tasks each, of which double sending makes no seventh.
    assert rows["attentive"]["n_tasks"] == 24
    assert rows["double-opening"]["n_tasks"] == 6
    # The design's own panel is a study link, without codes; the others get some.
    assert report["gives_codes"] is (panel != PanelKind.LINK)
    assert rows["attentive"]["n_coded"] == (0 if panel == PanelKind.LINK else 4)
    assert rows["attentive"]["n_broken"] == 0
    assert Rater.objects.count() == Judgment.objects.count() == 0
    assert Study.objects.get().state == "draft"


def test_study_that_is_not_designed_is_refused_with_the_reason(capfd):
    _make_study(consent="")

    with pytest.raises(CommandError, match="did not end as expected"):
        call_command("simulate", "study", "--raters=1")
    assert "it has no consent text" in capfd.readouterr().err


def test_no_raters_are_refused():
    _make_study()

    with pytest.raises(CommandError, match="must be 1 or more"):
        call_command("simulate", "study", "--raters=0")


@pytest.mark.slow
def test_same_seed_gives_the_same_and_another_one_does_not(capfd):
    _make_study()

    first, again, other = (_simulate(capfd, f"--seed={seed}") for seed in (0, 0, 1))

    assert first == again
    assert first["minutes"] != other["minutes"]


def test_scripted_raters_get_into_no_database_that_stays(monkeypatch, tmp_path):
    study = _make_study()
    rows = tmp_path / "rows.json"
    rows.write_text(export_study(study))
    monkeypatch.setenv(IN_COPY, str(rows))

    with pytest.raises(NotACopy, match="not one in memory"):
        call_command("simulate", "study", "--raters=1")
    assert (Study.objects.get().state, Rater.objects.count()) == ("draft", 0)
