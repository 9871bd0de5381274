"""Whether answers are right, where an item says what counts as right: feedback in training, the qualification.

`Item.expected` is a list; each entry is a value, or a pair of the lowest and highest value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isclose
from typing import Any

from studies.collection.assignments import list_done_apart, list_own_tasks
from studies.collection.plans import load_plan
from studies.design.design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AssignmentState, RaterOutcome, TaskRole
from studies.models import Assignment, Judgment, QualificationAttempt, Rater, Study


@dataclass(frozen=True, slots=True)
class GradedItem:
    """What came of one item.

    Attributes:
        item: Primary key.
        value: What the rater answered; None for a written caption.
        is_right: None if the item does not say what counts as right.
        expected: What counts as right, as in `Item.expected`; empty if the item does not say.
        feedback: Why, in the researcher's words; may be empty.
    """

    item: int
    value: float | None
    is_right: bool | None
    expected: tuple[Any, ...]
    feedback: str


def grade_training(assignment: Assignment) -> tuple[GradedItem, ...]:
    """Return what to tell a rater after a training task, item by item in the order shown; empty before the answers.

    Raises:
        ValueError: The task is not one of training: of other tasks nothing is told.
    """
    if assignment.task.role != TaskRole.TRAINING:
        raise ValueError(f"feedback is for training, got {assignment} of a {assignment.task.role} task")
    judgments = Judgment.objects.filter(assignment=assignment).select_related("item")
    graded = {judgment.item_id: _grade(judgment) for judgment in judgments}
    return tuple(graded[entry["item"]] for entry in assignment.shown if entry["item"] in graded)


def is_right(value: float | None, expected: Sequence[Any]) -> bool:
    """Whether a value is one of those expected, up to rounding, or within one of the bounds; None never is."""
    return value is not None and any(_fits(value, entry) for entry in expected)


def has_tried(rater: Rater) -> bool:
    """Whether the rater has an attempt at the qualification behind them."""
    return QualificationAttempt.objects.filter(rater=rater).exists()


def end_attempt(rater: Rater, *, study: Study, now: datetime) -> None:
    """Grade the attempt at the qualification if its last task is submitted.

    After a failed one its assignments make room for the next; after the last one the rater is out.
    """
    own = list_own_tasks(rater)
    apart = load_plan(study).apart
    tasks = {task.pk for task in apart if task.role == TaskRole.QUALIFICATION and task.pk not in own}
    design = StudyDesign.from_json(load_newest_version(study).design)
    if not tasks <= list_done_apart(rater) or design.qualification is None:
        return
    judged = Judgment.objects.filter(rater=rater, item__task__in=tasks, item__expected__isnull=False)
    marks = [is_right(value, expected) for value, expected in judged.values_list("value", "item__expected")]
    # A share such as 0.7 of ten is a hair above seven.
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
