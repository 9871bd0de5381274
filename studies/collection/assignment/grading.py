"""Grading of answers to items with expected values, for training feedback and qualification.

`Item.expected` is a list; each entry is a value, or a pair of the lowest and highest value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isclose
from typing import Any

from studies.collection.assignment.rater_assignments import list_done_apart, list_own_tasks
from studies.collection.study_tasks import load_plan
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AssignmentState, RaterOutcome, TaskRole
from studies.models import Assignment, Judgment, QualificationAttempt, Rater, Study


@dataclass(frozen=True, slots=True)
class GradedItem:
    """The grade of one item.

    Attributes:
        item: Primary key.
        value: The rater's answer; None for a written caption.
        is_right: Whether it is right; None if the item has no expected values.
        expected: The expected values as in `Item.expected`; empty if there are none.
        feedback: The researcher's explanation; may be empty.
    """

    item: int
    value: float | None
    is_right: bool | None
    expected: tuple[Any, ...]
    feedback: str


def grade_training(assignment: Assignment) -> tuple[GradedItem, ...]:
    """Return the feedback after a training task, item by item in the order shown; empty before submission.

    Raises:
        ValueError: The task is not a training task; other tasks give no feedback.
    """
    if assignment.task.role != TaskRole.TRAINING:
        raise ValueError(f"feedback is for training, got {assignment} of a {assignment.task.role} task")
    judgments = Judgment.objects.filter(assignment=assignment).select_related("item")
    graded = {judgment.item_id: _grade(judgment) for judgment in judgments}
    return tuple(graded[entry["item"]] for entry in assignment.shown if entry["item"] in graded)


def is_right(value: float | None, expected: Sequence[Any]) -> bool:
    """Whether a value equals an expected value up to rounding, or is within expected bounds; None never is."""
    return value is not None and any(_fits(value, entry) for entry in expected)


def has_tried(rater: Rater) -> bool:
    """Whether the rater has completed an attempt at the qualification."""
    return QualificationAttempt.objects.filter(rater=rater).exists()


def end_attempt(rater: Rater, *, study: Study, now: datetime) -> None:
    """Grade the qualification attempt if its last task has been submitted.

    After a failed attempt, its assignments are released for the next; after the last one, the rater is rejected.
    """
    own = list_own_tasks(rater)
    apart = load_plan(study).apart
    tasks = {task.pk for task in apart if task.role == TaskRole.QUALIFICATION and task.pk not in own}
    design = StudyDesign.from_json(load_newest_version(study).design)
    if not tasks <= list_done_apart(rater) or design.qualification is None:
        return
    judged = Judgment.objects.filter(rater=rater, item__task__in=tasks, item__expected__isnull=False)
    marks = [is_right(value, expected) for value, expected in judged.values_list("value", "item__expected")]
    # Tolerate rounding: a share such as 0.7 of ten may be slightly above seven in floating point.
    passed = sum(marks) >= design.qualification.pass_share * len(marks) - 1e-9
    number = QualificationAttempt.objects.filter(rater=rater).count() + 1
    QualificationAttempt.objects.create(
        rater=rater, number=number, n_right=sum(marks), n_items=len(marks), passed=passed, ended_at=now
    )
    if passed:
        return
    if number < design.qualification.attempts:
        Assignment.objects.filter(rater=rater, task__in=tasks, state=AssignmentState.SUBMITTED).update(
            state=AssignmentState.RETAKEN
        )
    else:
        Rater.objects.filter(pk=rater.pk).update(finished_at=now, outcome=RaterOutcome.NOT_QUALIFIED)


def _grade(judgment: Judgment) -> GradedItem:
    item = judgment.item
    expected = tuple(item.expected or ())
    right = is_right(judgment.value, expected) if expected else None
    return GradedItem(item.pk, judgment.value, right, expected, item.feedback)


def _fits(value: float, entry: Any) -> bool:
    low, high = entry if isinstance(entry, list | tuple) else (entry, entry)
    return low <= value <= high or isclose(value, low) or isclose(value, high)
