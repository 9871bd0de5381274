"""Submission of answers: they are stored with all consequences, or refused with a reason."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from studies.collaboration.filling import note_if_filled
from studies.collection.assignment.grading import end_attempt, has_tried
from studies.collection.assignment.judgment_storage import (
    check_answers,
    keep_answers,
    record_rater_event,
    record_refusals,
    revise_answers,
)
from studies.collection.assignment.leases import lease_next
from studies.collection.assignment.rater_assignments import CHECKS, count_submitted
from studies.collection.assignment.row_locks import lock_assignment
from studies.collection.assignment.slots import hold_again
from studies.collection.assignment.values import Acknowledgment, Answer, EnoughDone, RaterGone, SlotTaken, StudyClosed
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import MAY_GO_ON, AssignmentState, EventKind, StudyState, TaskRole
from studies.models import Assignment, Rater, Study, StudyVersion


def submit_answers(
    assignment: Assignment,
    *,
    answers: Sequence[Answer],
    now: datetime,
    version: StudyVersion | None = None,
    network: str = "",
) -> Acknowledgment:
    """Store the answers to all items of an assignment and return an acknowledgment; repeating it changes nothing.

    Answers after the lease expired or was returned are accepted while the task has a free slot. The last answer of a
    qualification attempt ends it: it is graded, and the rater continues, tries again or is rejected.

    Args:
        assignment: The assignment.
        answers: One for each item of the task.
        version: The newest design version, if the rater has agreed to it: in the usual case, the next main task is then
            leased in the same transaction (`lease_next`); `take_lease` returns it.
        network: As for `take_lease`.

    Raises:
        SlotTaken: The lease has ended and the task has no free slot.
        EnoughDone: The lease has ended, and the rater has done as many tasks as the design allows.
        RaterGone: The rater has left, withdrawn or failed the qualification.
        StudyClosed: The study is closed.
        ValueError: There is not exactly one answer for each item of the task.
    """
    try:
        with record_refusals(assignment, now=now), transaction.atomic():
            held = lock_assignment(assignment.pk)
            if held.submitted_at is not None:
                return Acknowledgment(assignment=held.pk, submitted_at=held.submitted_at)
            acknowledgment = _store(held, answers=answers, now=now)
            follows = held.slot_id is not None or held.task.role in CHECKS
            # While somebody holds a task, the study is not filled.
            if not (version and follows and lease_next(held.rater, version=version, now=now, network=network)):
                # A failure to notify must not reach the rater, whose answers are stored.
                transaction.on_commit(lambda: note_if_filled(held.study_id, now=now), robust=True)
            return acknowledgment
    except StudyClosed:
        # Closing the study expires all leases except one that is being submitted.
        Assignment.objects.filter(pk=assignment.pk, state=AssignmentState.LEASED).update(state=AssignmentState.EXPIRED)
        raise


def refuse_gone(rater: Rater) -> None:
    """Raise RaterGone for a rater whose participation has ended in any way other than finishing."""
    if rater.outcome not in MAY_GO_ON:
        raise RaterGone(
            gettext(
                "Your participation in this study has ended, so this answer was not saved. Everything that you saved "
                "before is safe."
            )
        )


def refuse_closed(study: Study) -> None:
    """Raise StudyClosed for a study that is not open."""
    if study.state != StudyState.OPEN:
        raise StudyClosed(gettext("The study was closed before this answer arrived, so it was not saved."))


def _store(held: Assignment, *, answers: Sequence[Answer], now: datetime) -> Acknowledgment:
    rater, study = held.rater, held.rater.study
    check_answers(held, answers)
    refuse_closed(study)
    refuse_gone(rater)
    if held.slot_id is not None and held.state != AssignmentState.LEASED:
        _make_room(rater, study, held)
    is_late = now > held.expires_at or held.state != AssignmentState.LEASED
    if not hold_again(held, state=AssignmentState.SUBMITTED, submitted_at=now):
        raise SlotTaken(
            gettext(
                "The time for that task had run out and it has been given to somebody else, so your answer was not "
                "saved. Everything that you saved before is safe."
            )
        )
    is_retake = held.task.role == TaskRole.QUALIFICATION and has_tried(rater)
    (revise_answers if is_retake else keep_answers)(held, answers, now=now)
    if is_late and held.slot_id is not None:
        record_rater_event(rater, EventKind.LATE, held, now=now)
    if held.task.role == TaskRole.QUALIFICATION:
        end_attempt(rater, study=study, now=now)
    return Acknowledgment(assignment=held.pk, submitted_at=now)


def _make_room(rater: Rater, study: Study, late: Assignment) -> None:
    """Release the task that the rater holds instead, so that a late answer does not exceed the limit."""
    most = StudyDesign.from_json(load_newest_version(study).design).tasks_per_rater
    n_done = count_submitted(rater)
    if not most or n_done + 1 < most:
        return
    if n_done >= most:
        raise EnoughDone(
            gettext(
                "The time for that task had run out, and you have done the maximum number of tasks per person, so "
                "your answer was not needed. Everything that you saved before is safe."
            )
        )
    others = Assignment.objects.filter(rater=rater, state=AssignmentState.LEASED, slot__isnull=False)
    others.exclude(pk=late.pk).update(state=AssignmentState.RETURNED)
