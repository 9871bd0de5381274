"""Tests of going back to the last answer."""

import pytest

from studies.collection.assignment import (
    CannotCorrect,
    RaterGone,
    StudyClosed,
    correct_answers,
    find_correctable,
    lease_task,
    leave_study,
)
from studies.collection.lifecycle import close_study
from studies.design.study_design import Checks, Qualification
from studies.models import Judgment, JudgmentRevision, RaterEvent
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import MINUTE, RIGHT, WRONG, answer, make_staged_study, submit, work

pytestmark = pytest.mark.django_db


def _correct(assignment, value=RIGHT, *, now=NOW + MINUTE):
    return correct_answers(assignment, answers=answer(assignment, value), now=now)


def _events():
    return list(RaterEvent.objects.values_list("kind", "details"))


def test_last_answer_is_corrected_and_the_one_before_is_kept() -> None:
    rater = make_rater(make_open_study())
    assignment = lease_task(rater, now=NOW)
    acknowledged = submit(assignment, WRONG)
    assert find_correctable(rater) == assignment

    assert _correct(assignment) == acknowledged

    judgment = Judgment.objects.get()
    assert (judgment.value, judgment.created_at, judgment.assignment) == (RIGHT, NOW + MINUTE, assignment)
    revision = JudgmentRevision.objects.get()
    assert (revision.judgment, revision.value, revision.elapsed_ms) == (judgment, WRONG, 1500)
    assert (revision.created_at, revision.replaced_at) == (NOW, NOW + MINUTE)
    assert _events() == [("corrected", {"assignment": assignment.pk, "items": [judgment.item_id]})]


def test_same_answer_again_changes_nothing() -> None:
    assignment = lease_task(make_rater(make_open_study()), now=NOW)
    submit(assignment)

    _correct(assignment)
    _correct(assignment)

    assert Judgment.objects.get().created_at == NOW
    assert (JudgmentRevision.objects.count(), _events()) == (0, [])


def test_correcting_twice_keeps_both() -> None:
    assignment = lease_task(make_rater(make_open_study()), now=NOW)
    submit(assignment, 1.0)

    _correct(assignment, 2.0)
    _correct(assignment, 3.0)

    assert list(JudgmentRevision.objects.values_list("value", flat=True)) == [1.0, 2.0]


def test_only_the_last_answer_can_be_corrected() -> None:
    rater = make_rater(make_open_study())
    first = lease_task(rater, now=NOW)
    submit(first, WRONG)
    work(rater, WRONG, now=NOW + MINUTE)

    with pytest.raises(CannotCorrect, match="you have given another one since"):
        _correct(first)

    assert set(Judgment.objects.values_list("value", flat=True)) == {WRONG}
    assert _events() == [("refused", {"assignment": first.pk, "reason": "CannotCorrect"})]


def test_what_was_not_answered_cannot_be_corrected() -> None:
    rater = make_rater(make_open_study())
    assignment = lease_task(rater, now=NOW)

    assert find_correctable(rater) is None
    with pytest.raises(CannotCorrect, match="has not been answered"):
        _correct(assignment)


def test_design_may_forbid_corrections() -> None:
    rater = make_rater(make_open_study(may_correct=False))
    assignment = lease_task(rater, now=NOW)
    submit(assignment)

    assert find_correctable(rater) is None
    with pytest.raises(CannotCorrect, match="cannot be corrected in this study"):
        _correct(assignment, WRONG)


def test_closed_study_keeps_what_was_said() -> None:
    study = make_open_study()
    rater = make_rater(study)
    assignment = lease_task(rater, now=NOW)
    submit(assignment)
    close_study(study, now=NOW)

    assert find_correctable(rater) is None
    with pytest.raises(StudyClosed):
        _correct(assignment, WRONG)


def test_who_left_corrects_no_more() -> None:
    rater = make_rater(make_open_study())
    assignment = lease_task(rater, now=NOW)
    submit(assignment)
    leave_study(rater, now=NOW)

    assert find_correctable(rater) is None
    with pytest.raises(RaterGone):
        _correct(assignment, WRONG)


def test_who_finished_may_correct_the_last_answer() -> None:
    rater = make_rater(make_open_study(n_tasks=1))
    assignment = lease_task(rater, now=NOW)
    submit(assignment)
    assert lease_task(rater, now=NOW) is None

    assert find_correctable(rater) == assignment
    _correct(assignment, WRONG)

    assert Judgment.objects.get().value == WRONG


@pytest.mark.parametrize("design", [{"training": 1}, {"trial": 1, "qualification": Qualification()}])
def test_training_and_qualification_cannot_be_corrected(design) -> None:
    rater = make_rater(make_staged_study(**design))
    assignment = lease_task(rater, now=NOW)
    submit(assignment)

    assert find_correctable(rater) is None
    with pytest.raises(CannotCorrect, match="in the training and the qualification"):
        _correct(assignment, WRONG)


def test_check_is_corrected_like_any_task() -> None:
    rater = make_rater(make_staged_study(gold=1, checks=Checks(every=1)))
    work(rater, RIGHT)
    check = lease_task(rater, now=NOW + MINUTE)
    submit(check, WRONG, now=NOW + MINUTE)

    assert find_correctable(rater) == check
    _correct(check)

    assert check.task.role == "gold"
    assert Judgment.objects.get(assignment=check).value == RIGHT
