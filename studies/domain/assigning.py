"""Hands out tasks and takes answers: right whatever the number of server processes and the order of their steps.

What must hold is held by constraints: a place has one live assignment, a rater has a task once and judges an item
once. Locks, where the database has them, only save futile attempts, and are always taken in the same order (the
rater, assignments, a place), so that nobody waits in a circle.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from studies.domain.design import StudyDesign
from studies.domain.ordering import arrange_items
from studies.domain.queries.assignments import (
    count_submitted,
    find_lease,
    list_free_places,
    list_needs,
    list_overdue,
)
from studies.domain.queries.versions import load_newest_version
from studies.enums import AssignmentState, RaterOutcome, StudyState
from studies.models import Assignment, Item, Judgment, Place, Rater, Study, StudyVersion


class CannotSubmit(Exception):
    """Answers came that cannot be kept; the message tells the rater why."""


class PlaceTaken(CannotSubmit):
    """The lease ran out, and other raters have all places of the task by now."""


class StudyClosed(CannotSubmit):
    """The study takes no more judgments."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One rater's answer on one item: `value` is what statistics use, `answer` the words of the task kind."""

    item: int
    value: float
    answer: Mapping[str, Any] = field(default_factory=dict)
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Acknowledgment:
    """That the judgments of an assignment are stored for good; the same however often it is asked for."""

    assignment: int
    submitted_at: datetime


def lease_task(rater: Rater, *, now: datetime, rng: Random) -> Assignment | None:
    """Return the task to work on, which from now on holds a place for this rater.

    It is the one that the rater holds already; else one that ran out, if it still has a place; else, at random, one
    of those with the fewest live assignments; else one that the rater gave back, if nobody has taken it. None if
    there is none left, or the rater has done as many as planned, or the study is not open; a rater for whom an open
    study has none left is finished.
    """
    held = find_lease(rater, now=now)
    if held:
        return held
    expire_leases(study_id=rater.study_id, now=now)
    with transaction.atomic():
        # Two requests of one rater at once must not get two tasks.
        rater = Rater.objects.select_for_update().get(pk=rater.pk)
        study = Study.objects.get(pk=rater.study_id)
        held = find_lease(rater, now=now)
        if held or study.state != StudyState.OPEN:
            return held
        version = load_newest_version(study)
        design = StudyDesign.from_json(version.design)
        expires_at = now + timedelta(minutes=design.lease_minutes)
        if not design.tasks_per_rater or count_submitted(rater) < design.tasks_per_rater:
            held = _resume(rater, AssignmentState.EXPIRED, now=now, expires_at=expires_at)
            held = held or _lease_new(rater, study=study, version=version, now=now, expires_at=expires_at, rng=rng)
            # Others first; but where as many raters as places are invited, nobody else will ever take it.
            held = held or _resume(rater, AssignmentState.RETURNED, now=now, expires_at=expires_at)
        if held is None:
            Rater.objects.filter(pk=rater.pk, finished_at=None).update(finished_at=now, outcome=RaterOutcome.FINISHED)
        return held


@transaction.atomic
def submit_answers(assignment: Assignment, *, answers: Sequence[Answer], now: datetime) -> Acknowledgment:
    """Store the answers to all items of an assignment and return the acknowledgment; a repeat changes nothing.

    Answers that come after the lease ran out, or was returned, are taken as long as the task has a free place.

    Raises:
        PlaceTaken: It has none.
        StudyClosed: The study was closed before.
        ValueError: The answers are not one for each item of the task.
    """
    Rater.objects.select_for_update().get(pk=assignment.rater_id)
    held = Assignment.objects.select_for_update().get(pk=assignment.pk)
    if held.submitted_at is not None:
        return Acknowledgment(assignment=held.pk, submitted_at=held.submitted_at)
    _check_answers(held, answers)
    if not Study.objects.filter(tasks=held.task_id, state=StudyState.OPEN).exists():
        raise StudyClosed("The study was closed before this answer came in, so it could not be kept.")
    if not _hold_again(held, state=AssignmentState.SUBMITTED, submitted_at=now):
        raise PlaceTaken(
            "The time for that task had run out and somebody else has it now, so its answer could not be kept. "
            "Everything that you saved before is safe."
        )
    Judgment.objects.bulk_create(
        Judgment(
            item_id=answer.item,
            rater_id=held.rater_id,
            assignment=held,
            value=answer.value,
            answer=dict(answer.answer),
            elapsed_ms=answer.elapsed_ms,
            created_at=now,
        )
        for answer in answers
    )
    return Acknowledgment(assignment=held.pk, submitted_at=now)


def return_task(assignment: Assignment) -> None:
    """Give the place back at once; nothing happens if the assignment is not leased any more."""
    leased = Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.LEASED)
    leased.update(state=AssignmentState.RETURNED)


def expire_leases(*, study_id: int, now: datetime) -> int:
    """Free the places of leases whose time has run out; return how many were freed."""
    overdue = list_overdue(study_id=study_id, now=now)
    if not overdue.exists():
        return 0
    with transaction.atomic():
        # One that is locked is being submitted or freed by somebody else.
        locked = overdue.select_for_update(skip_locked=True, of=("self",)).order_by("pk")
        pks = list(locked.values_list("pk", flat=True))
        return Assignment.objects.filter(pk__in=pks).update(state=AssignmentState.EXPIRED)


def _check_answers(assignment: Assignment, answers: Sequence[Answer]) -> None:
    items = sorted(Item.objects.filter(task=assignment.task_id).values_list("pk", flat=True))
    if sorted(answer.item for answer in answers) != items:
        given = sorted(answer.item for answer in answers)
        raise ValueError(f"`answers` must be one for each of the items {items}, got {given}")


def _resume(rater: Rater, state: AssignmentState, *, now: datetime, expires_at: datetime) -> Assignment | None:
    """Lease again what ran out or was given back, so that a page still open on some screen stays good."""
    ended = Assignment.objects.select_for_update().filter(rater=rater, state=state)
    for assignment in ended.order_by("-leased_at"):
        if _hold_again(assignment, state=AssignmentState.LEASED, leased_at=now, expires_at=expires_at):
            return assignment
    return None


def _lease_new(
    rater: Rater, *, study: Study, version: StudyVersion, now: datetime, expires_at: datetime, rng: Random
) -> Assignment | None:
    def hold(place: Place) -> Assignment:
        task = place.task
        items = task.items.select_related("caption_set").prefetch_related("caption_set__candidates")
        shown = arrange_items(
            list(items), seed=study.join_token, task_position=task.position, place_number=place.number
        )
        return Assignment.objects.create(
            task=task,
            place=place,
            rater=rater,
            version=version,
            shown=shown,
            leased_at=now,
            expires_at=expires_at,
        )

    # First past the places that others are about to take; then, before saying that there is none, waiting for them.
    for skip_locked in (True, False):
        needs = sorted((n_live, rng.random(), task) for task, n_live in list_needs(rater))
        for _, _, task in needs:
            places = list_free_places().filter(task=task)
            assignment = _hold_free(places.select_related("task"), hold=hold, skip_locked=skip_locked)
            if assignment:
                return assignment
    return None


def _hold_again(assignment: Assignment, **changes: Any) -> bool:
    """Save changes that leave the assignment live, on its own place or, if that is taken, on another of its task."""

    def hold(place: Place) -> Assignment:
        assignment.place = place
        for name, value in changes.items():
            setattr(assignment, name, value)
        assignment.save(update_fields=["place", *changes])
        return assignment

    if assignment.state == AssignmentState.LEASED:
        hold(assignment.place)
        return True
    free = list_free_places().filter(task=assignment.task_id)
    own = free.filter(pk=assignment.place_id)
    return any(_hold_free(places, hold=hold, skip_locked=False) for places in (own, free, free))


def _hold_free(places: QuerySet[Place], *, hold: Callable[[Place], Assignment], skip_locked: bool) -> Assignment | None:
    place = places.select_for_update(skip_locked=skip_locked, of=("self",)).first()
    if place is None:
        return None
    try:
        with transaction.atomic():
            return hold(place)
    except IntegrityError:
        # Somebody took it between our looking and our locking.
        return None
