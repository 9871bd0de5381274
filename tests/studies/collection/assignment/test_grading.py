"""Tests of training with feedback, and of the qualification with its attempts."""

import pytest

from studies.collection.assignment import GradedItem, Stage, StageName, find_stage, grade_training, lease_task
from studies.collection.assignment.grading import is_right
from studies.design.study_design import Qualification
from studies.models import Assignment, Item, Judgment, JudgmentRevision, QualificationAttempt
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.staged import MINUTE, RIGHT, WRONG, make_staged_study, submit, work

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("value", "expected", "right"),
    [
        (1.0, [1, 2], True),
        (3.0, [1, 2], False),
        (0.1 + 0.2, [0.3], True),
        (55.0, [[50, 60]], True),
        (50.0, [[50, 60]], True),
        (61.0, [[50, 60], 61], True),
        (49.0, [[50, 60]], False),
        (50 - 1e-12, [[50, 60]], True),
        (60 + 1e-12, [[50, 60]], True),
        (None, [1], False),
    ],
)
def test_is_right_accepts_expected_values_and_ranges(value, expected, right) -> None:
    assert is_right(value, expected) is right


def test_training_tells_item_by_item_what_was_right() -> None:
    study = make_staged_study(training=1, n_items=3, is_open=False)
    items = list(Item.objects.filter(task__study=study, task__role="training"))
    Item.objects.filter(pk=items[1].pk).update(expected=[2, [3, 4]], feedback="")
    Item.objects.filter(pk=items[2].pk).update(expected=None)
    type(study).objects.filter(pk=study.pk).update(state="open", started_at=NOW)
    assignment = lease_task(make_rater(study), now=NOW)
    assert grade_training(assignment) == ()

    submit(assignment, WRONG)

    graded = grade_training(assignment)
    assert {one.item: one for one in graded} == {
        items[0].pk: GradedItem(items[0].pk, WRONG, False, (RIGHT,), "It shows no mistake."),
        items[1].pk: GradedItem(items[1].pk, WRONG, False, (2, [3, 4]), ""),
        items[2].pk: GradedItem(items[2].pk, WRONG, None, (), "It shows no mistake."),
    }
    assert [one.item for one in graded] == [entry["item"] for entry in assignment.shown]


def test_of_other_tasks_nothing_is_told() -> None:
    assignment = lease_task(make_rater(make_staged_study()), now=NOW)

    with pytest.raises(ValueError, match=r"feedback is for training, got assignment .* of a main task"):
        grade_training(assignment)


def test_who_passes_goes_on() -> None:
    study = make_staged_study(trial=3, qualification=Qualification(pass_share=2 / 3))
    rater = make_rater(study)

    assert work(rater, RIGHT, WRONG, RIGHT, 1.0) == ["qualification"] * 3 + ["main"]
    attempts = QualificationAttempt.objects.values_list("rater", "number", "n_right", "n_items", "passed", "ended_at")
    assert list(attempts) == [(rater.pk, 1, 2, 3, True, NOW)]


def test_only_tasks_of_the_qualification_count() -> None:
    study = make_staged_study(training=1, trial=2, gold=1, qualification=Qualification(pass_share=1 / 2))
    rater = make_rater(study)

    assert work(rater, WRONG, WRONG, RIGHT, 1.0) == ["training", "qualification", "qualification", "main"]
    attempts = QualificationAttempt.objects.values_list("number", "n_right", "n_items", "passed")
    assert list(attempts) == [(1, 1, 2, True)]


def test_who_fails_tries_again_and_old_answers_are_kept() -> None:
    study = make_staged_study(trial=2, qualification=Qualification(pass_share=1.0))
    rater = make_rater(study)
    work(rater, RIGHT, WRONG)
    assert find_stage(rater) == Stage(StageName.QUALIFICATION, n_done=0, n_total=2, attempt=2, attempts=2)

    roles = work(rater, RIGHT, RIGHT, 1.0, now=NOW + MINUTE)

    assert roles == ["qualification", "qualification", "main"]
    attempts = QualificationAttempt.objects.values_list("number", "n_right", "passed")
    assert list(attempts) == [(1, 1, False), (2, 2, True)]
    judged = Judgment.objects.filter(item__task__role="qualification").order_by("item__task__position")
    assert list(judged.values_list("value", "created_at")) == [(RIGHT, NOW + MINUTE), (RIGHT, NOW + MINUTE)]
    revisions = JudgmentRevision.objects.order_by("judgment__item__task__position")
    assert list(revisions.values_list("value", "created_at", "replaced_at")) == [
        (RIGHT, NOW, NOW + MINUTE),
        (WRONG, NOW, NOW + MINUTE),
    ]


def test_repeat_from_the_attempt_before_is_acknowledged_and_changes_nothing() -> None:
    study = make_staged_study(trial=1, qualification=Qualification(pass_share=1.0))
    rater = make_rater(study)
    first = lease_task(rater, now=NOW)
    acknowledged = submit(first, WRONG)
    second = lease_task(rater, now=NOW)

    assert submit(first, RIGHT) == acknowledged

    assert (second != first, second.task) == (True, first.task)
    assert QualificationAttempt.objects.count() == 1
    assert list(Judgment.objects.values_list("value", flat=True)) == [WRONG]
    assert set(Assignment.objects.values_list("pk", "state")) == {(first.pk, "retaken"), (second.pk, "leased")}


def test_who_fails_every_attempt_is_out() -> None:
    study = make_staged_study(trial=1, qualification=Qualification(pass_share=0.8, attempts=3))
    rater = make_rater(study)

    work(rater, WRONG, WRONG, WRONG)

    assert lease_task(rater, now=NOW) is None
    assert find_stage(rater) == Stage(StageName.DONE, n_done=0, n_total=2, outcome="not_qualified")
    assert list(QualificationAttempt.objects.values_list("number", flat=True)) == [1, 2, 3]
