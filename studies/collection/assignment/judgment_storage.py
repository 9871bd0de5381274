"""Storage of answers as judgments, of changed answers as revisions, and of refusals as events."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from studies.collection.assignment.prepared_writes import insert_rows
from studies.collection.assignment.values import Answer, CannotSubmit
from studies.enums import EventKind
from studies.models import Assignment, Judgment, JudgmentRevision, Rater, RaterEvent


def check_answers(assignment: Assignment, answers: Sequence[Answer]) -> None:
    """Raise ValueError unless there is exactly one answer for each item of the task."""
    # `shown` lists every item of the task, and the items of a started study do not change.
    items = sorted(entry["item"] for entry in assignment.shown)
    given = sorted(answer.item for answer in answers)
    if given != items:
        raise ValueError(f"`answers` must be one for each of the items {items}, got {given}")


def keep_answers(assignment: Assignment, answers: Sequence[Answer], *, now: datetime) -> None:
    """Store the first answers as judgments."""
    insert_rows(
        [
            Judgment(
                item_id=answer.item,
                rater_id=assignment.rater_id,
                assignment_id=assignment.pk,
                value=answer.value,
                answer=dict(answer.answer),
                elapsed_ms=answer.elapsed_ms,
                created_at=now,
            )
            for answer in answers
        ]
    )


def revise_answers(assignment: Assignment, answers: Sequence[Answer], *, now: datetime) -> list[int]:
    """Update existing judgments, storing their previous answers as revisions; return the items that changed.

    An equal answer changes nothing, unless it was given in another assignment.
    """
    said = {answer.item: answer for answer in answers}
    judgments = Judgment.objects.filter(rater=assignment.rater_id, item__in=said).select_for_update().order_by("pk")
    changed = [judgment for judgment in judgments if _differs(judgment, said[judgment.item_id], assignment)]
    JudgmentRevision.objects.bulk_create(
        JudgmentRevision(
            judgment=judgment,
            value=judgment.value,
            answer=judgment.answer,
            elapsed_ms=judgment.elapsed_ms,
            created_at=judgment.created_at,
            replaced_at=now,
        )
        for judgment in changed
    )
    for judgment in changed:
        answer = said[judgment.item_id]
        judgment.assignment = assignment
        judgment.value, judgment.answer = answer.value, dict(answer.answer)
        judgment.elapsed_ms, judgment.created_at = answer.elapsed_ms, now
    Judgment.objects.bulk_update(changed, ["assignment", "value", "answer", "elapsed_ms", "created_at"])
    return [judgment.item_id for judgment in changed]


def record_rater_event(
    rater: Rater, kind: EventKind, assignment: Assignment, *, now: datetime, **details: object
) -> None:
    """Record an event of an assignment."""
    RaterEvent.objects.create(
        study_id=rater.study_id, rater=rater, kind=kind, details={"assignment": assignment.pk, **details}, at=now
    )


@contextmanager
def record_refusals(assignment: Assignment, *, now: datetime) -> Iterator[None]:
    """Record a refusal after the rest of the refused request has been rolled back."""
    try:
        yield
    except CannotSubmit as refusal:
        rater = Rater.objects.get(pk=assignment.rater_id)
        record_rater_event(rater, EventKind.REFUSED, assignment, now=now, reason=type(refusal).__name__)
        raise


def _differs(judgment: Judgment, answer: Answer, assignment: Assignment) -> bool:
    before = (judgment.assignment_id, judgment.value, judgment.answer)
    return before != (assignment.pk, answer.value, dict(answer.answer))
