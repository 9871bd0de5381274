"""Tests of excluding raters from the analysis and including them again."""

from random import Random

import pytest

from correlation.protocols.reading import read_protocol
from studies.access.audit import Actor
from studies.analysis.results import load_results
from studies.collection.arrival.raters import Participant, join_study
from studies.collection.assignment import check_slots, lease_task, leave_study
from studies.collection.judgments import load_judgments
from studies.collection.privacy.erasure import erase_identities
from studies.enums import Interface
from studies.models import Assignment, AuditEntry, Exclusion, Judgment, Rater
from studies.monitoring.exclusion import AlreadyExcluded, exclude_rater, lift_exclusion
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater, make_user
from tests.studies.collection.assignment.staged import submit, work
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def _count(study):
    judgments = load_judgments(study, read_protocol(study.protocol))
    return len(judgments.table.value), judgments.n_excluded


def test_excluded_judgments_stay_and_are_not_analysed():
    study = make_rated_study(score=False, n_items=4)
    rater = study.raters.first()

    exclude_rater(rater, reason="asked the same of everything", now=NOW, actor=Actor(make_user(), Interface.PAGE))

    assert _count(study) == (8, 1)
    assert Judgment.objects.count() == 12


def test_lifting_brings_the_judgments_back_and_keeps_the_record():
    study = make_rated_study(score=False, n_items=4)
    rater = study.raters.first()
    exclude_rater(rater, reason="too fast", now=NOW)

    assert lift_exclusion(rater, now=NOW)
    assert not lift_exclusion(rater, now=NOW)

    assert _count(study) == (12, 0)
    assert Exclusion.objects.values_list("reason", "lifted_at").get() == ("too fast", NOW)
    exclude_rater(rater, reason="too fast after all", now=NOW)
    assert Exclusion.objects.count() == 2


def test_number_of_the_excluded_ends_the_signature():
    study = make_rated_study()
    before = load_results(study)
    exclude_rater(study.raters.first(), reason="too fast", now=NOW)

    after = load_results(study)

    assert {row.n for row in before.found.rows} == {36}
    assert {row.n for row in after.found.rows} == {24}
    assert all(text.endswith("|excluded-raters:1") for text in after.table.signatures)
    assert not any("excluded" in text for text in before.table.signatures)


def test_number_of_surplus_judgments_ends_the_signature():
    study = make_rated_study()
    Judgment.objects.filter(rater=study.raters.first()).update(surplus_since=NOW)

    after = load_results(study)

    assert {row.n for row in after.found.rows} == {24}
    assert all(text.endswith("|surplus-judgments:12") for text in after.table.signatures)


def test_second_decision_and_one_without_a_reason_are_refused():
    rater = make_rated_study(score=False, n_items=1).raters.first()
    with pytest.raises(ValueError, match="`reason` must say why"):
        exclude_rater(rater, reason=" ", now=NOW)
    exclude_rater(rater, reason="too fast", now=NOW)

    with pytest.raises(AlreadyExcluded, match="rater-0 is already excluded"):
        exclude_rater(rater, reason="too fast", now=NOW)


def test_slots_go_back_if_the_researcher_says_so_and_others_do_the_tasks():
    study = make_open_study(n_tasks=3, raters_per_task=1, has_files=False)
    rater, other = make_rater(study, "bot"), make_rater(study, "other")
    work(rater, 1.0, 1.0)
    at_hand = lease_task(rater, now=NOW)
    assert lease_task(other, now=NOW) is None

    decision = exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)

    assert decision.n_slots == 3
    assert [lease_task(rater, now=NOW), Judgment.objects.count()] == [None, 2]
    work(other, 4.0, 4.0, 4.0)
    assert Assignment.objects.filter(pk=at_hand.pk, state="returned").exists()
    assert check_slots(study.pk) == ()
    (entry,) = AuditEntry.objects.filter(study=study, action="excluded")
    assert entry.details == {"rater": "bot", "rule": "", "reason": "too fast", "slots_given_back": 3}


def test_slots_stay_unless_the_researcher_says_so():
    study = make_open_study(n_tasks=2, raters_per_task=1, has_files=False)
    rater = make_rater(study, "slow")
    work(rater, 1.0)

    decision = exclude_rater(rater, reason="too fast", now=NOW)

    assert (decision.n_slots, study.slots.filter(is_held=True).count()) == (None, 1)
    assert lease_task(rater, now=NOW) is not None


def test_one_who_had_finished_gets_no_slot_that_went_back():
    study = make_open_study(n_tasks=2, raters_per_task=2, tasks_per_rater=1, has_files=False)
    rater = make_rater(study, "bot")
    work(rater, 1.0)
    assert lease_task(rater, now=NOW) is None

    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)

    assert lease_task(rater, now=NOW) is None
    assert Rater.objects.get(pk=rater.pk).outcome == "finished"


def test_lifting_takes_those_slots_again_that_nobody_holds():
    study = make_open_study(n_tasks=2, raters_per_task=1, has_files=False)
    rater, other = make_rater(study, "back"), make_rater(study, "other")
    work(rater, 1.0, 1.0)
    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)
    submit(lease_task(other, now=NOW))

    assert lift_exclusion(rater, now=NOW)

    states = Assignment.objects.filter(rater=rater).values_list("state", flat=True)
    assert sorted(states) == ["replaced", "submitted"]
    assert AuditEntry.objects.get(study=study, action="readmitted").details == {
        "rater": "back", "slots_taken_again": 1, "slots_lost": 1
    }  # fmt: skip
    assert check_slots(study.pk) == ()


@pytest.mark.parametrize("erased", [False, True])
def test_lifting_leaves_the_part_ended_of_who_had_left_even_when_that_event_is_erased(erased):
    study = make_open_study(n_tasks=2, raters_per_task=1, has_files=False)
    rater = join_study(
        study,
        version=study.versions.latest("number"),
        now=NOW,
        rng=Random(1),
        participant=Participant("prolific", "zoe"),
    )
    work(rater, 1.0)
    leave_study(rater, now=NOW)
    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)
    if erased:
        rater.refresh_from_db()
        erase_identities([rater.identity_hash], study=study, now=NOW)

    lift_exclusion(rater, now=NOW)

    rater.refresh_from_db()
    assert (rater.outcome, rater.finished_at) == ("left", NOW)


def test_lifting_lets_the_part_go_on_of_who_was_at_work():
    study = make_open_study(n_tasks=2, raters_per_task=1, has_files=False)
    rater = make_rater(study, "back")
    work(rater, 1.0)
    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)

    lift_exclusion(rater, now=NOW)

    rater.refresh_from_db()
    assert (rater.outcome, rater.finished_at) == ("", None)
    assert lease_task(rater, now=NOW) is not None


def _load(study, **options):
    return load_judgments(study, read_protocol(study.protocol), **options)


def _make_lost_slot():
    """Make a study where a rater, taken in again, has lost one slot of two to another; return study and both."""
    study = make_open_study(n_tasks=2, raters_per_task=1, has_files=False)
    rater, other = make_rater(study, "back"), make_rater(study, "other")
    work(rater, 1.0, 1.0)
    exclude_rater(rater, reason="too fast", now=NOW, gives_slots_back=True)
    submit(lease_task(other, now=NOW))
    lift_exclusion(rater, now=NOW)
    return study, rater, other


def test_judgments_on_slots_that_others_took_do_not_count_after_lifting():
    study, rater, _ = _make_lost_slot()

    counted, whole = _load(study), _load(study, with_excluded=True)

    assert counted.table.judgments_per_item.tolist() == [1, 1]
    assert (counted.n_excluded, counted.n_surplus) == (0, 1)
    assert (len(whole.table.value), whole.n_surplus) == (2, 1)
    assert Judgment.objects.filter(rater=rater, surplus_since=NOW).count() == 1
    assert Judgment.objects.count() == 3


def test_lifting_again_counts_the_judgments_whose_slot_is_free_by_then():
    study, rater, other = _make_lost_slot()
    exclude_rater(other, reason="too fast", now=NOW, gives_slots_back=True)
    assert len(_load(study).table.value) == 1
    exclude_rater(rater, reason="once more", now=NOW, gives_slots_back=True)

    lift_exclusion(rater, now=NOW)

    assert (len(_load(study).table.value), _load(study).n_surplus) == (2, 0)
    assert check_slots(study.pk) == ()
