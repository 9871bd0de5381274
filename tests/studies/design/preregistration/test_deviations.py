"""Tests of deviations from a preregistration: confirmation, what the audit log keeps, and the state of a study."""

import json

import numpy as np
import pytest

from studies.access.audit import COMMAND_LINE, Actor
from studies.analysis.preregistration.deviations import list_study_deviations
from studies.collection.lifecycle import open_study
from studies.datasets.cloning import clone_study
from studies.design.changes import change_design
from studies.design.perturbed_checks import add_perturbed_checks
from studies.design.preregistration.deviations import (
    NOT_CONFIRMED,
    Confirmation,
    DeviationNotConfirmed,
    Registration,
    find_preregistration,
    find_registration,
    list_confirmed,
)
from studies.enums import Interface, PanelKind
from studies.models import AuditEntry, Exclusion, Item, StudyVersion
from studies.monitoring.exclusion import exclude_rater, lift_exclusion
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import request_scoring
from studies.scoring.study_scoring import score_study
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
SOMEBODY = Actor(None, Interface.PAGE)
CONFIRMED = Confirmation(is_given=True)


@pytest.fixture
def study():
    """A preregistered draft whose plan has the metric `length`."""
    study = make_designed_study()
    make_preregistration(study)
    return study


def _change(study, confirmation=CONFIRMED, **changes):
    return change_design(study, changes=changes, now=NOW, actor=SOMEBODY, confirmation=confirmation)


def _deviates(study):
    return find_registration(study).has_deviations


def test_study_without_preregistration_asks_for_nothing_and_has_no_state() -> None:
    study = make_designed_study()

    version = _change(study, NOT_CONFIRMED, question="Another?")

    assert (version.number, find_registration(study)) == (3, None)
    assert "deviates_from" not in AuditEntry.objects.get().details


def test_change_of_what_was_declared_must_be_confirmed(study) -> None:
    with pytest.raises(DeviationNotConfirmed, match="be confirmed: design raters_per_task: preregistered 1, now 3"):
        _change(study, NOT_CONFIRMED, raters_per_task=3)

    assert StudyVersion.objects.filter(study=study).count() == 2
    assert not AuditEntry.objects.exists()
    assert find_registration(study) == Registration(1, NOW, has_deviations=False)


def test_confirmed_change_is_recorded_with_its_reason(study) -> None:
    confirmation = Confirmation(is_given=True, reason="Too few raters.")

    _change(study, confirmation, raters_per_task=3, exclusion_rules={"failed_checks": 2})

    (entry,) = list_confirmed(find_preregistration(study))
    assert entry.details == {
        "was": 2,
        "is": 3,
        "fields": ["exclusion_rules.failed_checks", "raters_per_task"],
        "deviates_from": 1,
        "deviations": ["design raters_per_task", "exclusion criterion failed_checks"],
        "deviation_reason": "Too few raters.",
    }
    assert _deviates(study)


def test_only_the_changed_fields_are_asked_about(study) -> None:
    _change(study, question="Another?")

    with pytest.raises(DeviationNotConfirmed) as refused:
        _change(study, NOT_CONFIRMED, raters_per_task=3)

    assert [each.what for each in refused.value.deviations] == ["design raters_per_task"]


def test_return_to_the_declared_design_needs_no_confirmation_and_remains_a_deviation(study) -> None:
    declared = json.loads(find_preregistration(study).content)["design"]["question"]
    _change(study, question="Another?")

    _change(study, NOT_CONFIRMED, question=declared)

    assert _deviates(study)
    assert "deviates_from" not in AuditEntry.objects.first().details


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_line_ends_and_space_around_a_text_are_no_change(ends) -> None:
    text = ends.join(["", "Look.", "", "- first", "- second", ""])
    study = make_designed_study(instructions="Look.\n\n- first\n- second")
    make_preregistration(study)

    assert _change(study, NOT_CONFIRMED, instructions=text) is None

    assert list_study_deviations(study) == ()


def test_changed_text_is_stored_with_line_feeds(study) -> None:
    version = _change(study, instructions="Look.\r\nAgain.")

    assert version.design["instructions"] == "Look.\nAgain."


def test_secret_that_changes_is_no_deviation() -> None:
    panel = {"kind": PanelKind.PROLIFIC, "codes": {"finished": "C1"}}
    study = make_designed_study()
    _change(study, panel=panel)
    make_preregistration(study)

    version = _change(study, NOT_CONFIRMED, panel={**panel, "codes": {"finished": "C2"}})

    assert version is not None
    assert not _deviates(study)


def test_design_that_differs_without_a_record_is_a_deviation(study) -> None:
    # So it is in a study rebuilt from a bundle, which has no audit log.
    _change(study, raters_per_task=3)
    AuditEntry.objects.all().delete()

    assert _deviates(study)


def test_deviations_from_an_earlier_preregistration_do_not_count(study) -> None:
    _change(study, raters_per_task=3)
    first = find_preregistration(study)
    second = make_preregistration(study, number=2)

    assert not _deviates(study)
    assert (list_confirmed(first).count(), list_confirmed(second).count()) == (1, 0)


def test_manual_exclusion_must_be_confirmed_and_one_by_a_rule_not(study) -> None:
    open_study(study, now=NOW)
    first, second = make_rater(study, "first"), make_rater(study, "second")

    exclude_rater(second, reason="3 of 3 failed", rule="failed_checks", now=NOW)
    assert not _deviates(study)
    with pytest.raises(DeviationNotConfirmed, match="rater excluded manually: preregistered nothing, now first: Odd"):
        exclude_rater(first, reason="Odd.", now=NOW)
    assert Exclusion.objects.count() == 1
    exclude_rater(first, reason="Odd.", now=NOW, confirmation=Confirmation(is_given=True, reason="No rule for it."))

    details = AuditEntry.objects.first().details
    assert (details["reason"], details["deviation_reason"]) == ("Odd.", "No rule for it.")
    assert _deviates(study)
    lift_exclusion(first, now=NOW)
    assert _deviates(study)


def test_added_checks_must_be_confirmed() -> None:
    study = make_designed_study(n_tasks=12, has_files=False)
    for number, candidate in enumerate(study.dataset.candidates.all()):
        candidate.text = f"a brown dog leaps over log {number}"
        candidate.save()
    make_preregistration(study)
    n_items = Item.objects.count()

    with pytest.raises(DeviationNotConfirmed, match="items: preregistered without them, now 1 checks"):
        add_perturbed_checks(study, number=1, rng=np.random.default_rng(0), now=NOW)
    assert Item.objects.count() == n_items
    add_perturbed_checks(study, number=1, rng=np.random.default_rng(0), now=NOW, confirmation=CONFIRMED)

    assert _deviates(study)


def _score(study, metrics, confirmation=NOT_CONFIRMED):
    return score_study(study, now=lambda: NOW, metrics=metrics, actor=COMMAND_LINE, confirmation=confirmation)


def test_metrics_beyond_the_plan_must_be_confirmed() -> None:
    study = make_scored_study(score=False)
    make_preregistration(study)

    _score(study, ["length"])
    assert not _deviates(study)
    with pytest.raises(DeviationNotConfirmed, match="metrics added: preregistered length, now rouge-l"):
        _score(study, ["length", "rouge-l"])
    assert list_study_deviations(study) == ()
    _score(study, ["length", "rouge-l"], CONFIRMED)

    assert [str(each) for each in list_study_deviations(study)] == ["metrics added: preregistered length, now rouge-l"]
    assert _deviates(study)


def test_all_metrics_are_more_than_the_plan_has() -> None:
    study = make_scored_study(score=False)
    make_preregistration(study)

    with pytest.raises(DeviationNotConfirmed, match="metrics added: preregistered length, now bleu-1, bleu-2"):
        _score(study, [])


def test_requested_run_of_other_metrics_must_be_confirmed() -> None:
    study = make_scored_study(score=False)
    make_preregistration(study)
    actor = Actor(make_user("owner"), Interface.API)
    asked = {"metrics": ["rouge-l"], "catalog": load_catalog(), "actor": actor, "now": NOW}

    with pytest.raises(DeviationNotConfirmed):
        request_scoring(study, **asked)
    assert not study.scoring_requests.exists()
    request_scoring(study, **asked, confirmation=CONFIRMED)

    assert _deviates(study)


@pytest.mark.parametrize("metrics", [["rouge-l"], []], ids=["named", "all"])
def test_metrics_run_only_in_a_trial_are_no_deviation(metrics) -> None:
    study = make_scored_study(score=False)
    make_preregistration(study)
    trial = _make_trial(study)
    _score(study, ["length"])

    _score(trial, metrics)

    assert (list_study_deviations(study), _deviates(study)) == ((), False)
    assert (list_study_deviations(trial), find_registration(trial)) == ((), None)


def test_metric_run_in_a_trial_and_in_the_study_is_a_deviation() -> None:
    study = make_scored_study(score=False)
    make_preregistration(study)
    _score(_make_trial(study), ["length", "rouge-l"])

    _score(study, ["rouge-l"], CONFIRMED)

    assert [each.what for each in list_study_deviations(study)] == ["metrics added"]


def _make_trial(study):
    StudyVersion.objects.get_or_create(study=study, number=1, defaults={"design": {}, "created_at": NOW})
    trial = clone_study(study, name="trial", title="Trial", now=NOW, actor=SOMEBODY, owner=None)
    trial.simulation_of, trial.is_simulated = study, True
    trial.save()
    return trial


@pytest.mark.parametrize("n_changes", [0, 1, 5])
def test_state_is_found_by_one_query(study, n_changes, django_assert_num_queries) -> None:
    for number in range(n_changes):
        _change(study, thanks=f"Thanks {number}")

    with django_assert_num_queries(1):
        assert _deviates(study) is bool(n_changes)
