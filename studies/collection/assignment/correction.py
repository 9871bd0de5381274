"""Correction of a rater's last answers; the previous answers are kept as revisions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext

from studies.collection.assignment.judgment_storage import (
    check_answers,
    record_rater_event,
    record_refusals,
    revise_answers,
)
from studies.collection.assignment.rater_assignments import find_last_submitted
from studies.collection.assignment.row_locks import lock_assignment
from studies.collection.assignment.submission import refuse_closed, refuse_gone
from studies.collection.assignment.values import Acknowledgment, Answer, CannotCorrect
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import MAY_GO_ON, EventKind, StudyState, TaskRole
from studies.models import Assignment, Rater, Study

# The feedback of training is already known, and qualification is graded; checks must look like main tasks.
_CORRECTABLE: Final = (TaskRole.MAIN, TaskRole.GOLD, TaskRole.ATTENTION)


def find_correctable(rater: Rater) -> Assignment | None:
    """Return the rater's last assignment if `correct_answers` would accept it now, otherwise None."""
    study = Study.objects.get(pk=rater.study_id)
    rater = Rater.objects.get(pk=rater.pk)
    if study.state != StudyState.OPEN or rater.outcome not in MAY_GO_ON or not _allows(study):
        return None
    last = find_last_submitted(rater)
    return last if last and last.task.role in _CORRECTABLE else None


def correct_answers(assignment: Assignment, *, answers: Sequence[Answer], now: datetime) -> Acknowledgment:
    """Replace the answers of the rater's last assignment; the previous answers are kept as revisions.

    Sending the same answers again changes nothing.

    Raises:
        CannotCorrect: It is not the rater's last assignment or not submitted, the design does not allow corrections, or
                it is a training or qualification task.
        RaterGone: The rater has left, withdrawn or failed the qualification.
        StudyClosed: The study is closed.
        ValueError: There is not exactly one answer for each item of the task.
    """
    with record_refusals(assignment, now=now), transaction.atomic():
        held = lock_assignment(assignment.pk)
        rater, study = held.rater, held.rater.study
        check_answers(held, answers)
        refuse_closed(study)
        refuse_gone(rater)
        submitted_at = _check_last(held, rater, study)
        items = revise_answers(held, answers, now=now)
        if items:
            record_rater_event(rater, EventKind.CORRECTED, held, now=now, items=items)
        return Acknowledgment(assignment=held.pk, submitted_at=submitted_at)


def _check_last(held: Assignment, rater: Rater, study: Study) -> datetime:
    if held.submitted_at is None:
        raise CannotCorrect(gettext("That task has not been answered yet, so there is nothing to correct."))
    if not _allows(study):
        raise CannotCorrect(gettext("Answers cannot be corrected in this study; your answer is unchanged."))
    if held.task.role not in _CORRECTABLE:
        raise CannotCorrect(gettext("Answers in the training and the qualification cannot be corrected."))
    last = find_last_submitted(rater)
    if last is None or last.pk != held.pk:
        raise CannotCorrect(gettext("Only the last answer can be corrected, and you have given another one since."))
    return held.submitted_at


def _allows(study: Study) -> bool:
    return StudyDesign.from_json(load_newest_version(study).design).may_correct
