"""Notices when all planned tasks of an open study are done, once after each opening."""

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import BigIntegerField, QuerySet

from studies.collaboration.notifications import notify_filled
from studies.enums import AssignmentState, AuditAction, StudyState
from studies.models import Assignment, AuditEntry, Slot, Study
from studies.shared.prepared_queries import Prepared, QueryParameter


def note_if_filled(study_id: int, *, now: datetime) -> bool:
    """Record and notify that all tasks are done, if they are and this is new since the last opening.

    Call it after the commit of a submission: of submissions at the same time, the last one sees the others then.

    Returns:
        Whether the study was found to be filled.
    """
    # Almost always answered by an index of free slots, without a lock.
    if _FREE.find(study=study_id):
        return False
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study_id)
        leased = Assignment.objects.filter(study=study, state=AssignmentState.LEASED, slot__isnull=False)
        if study.state != StudyState.OPEN or leased.exists() or not Slot.objects.filter(study=study).exists():
            return False
        known = AuditEntry.objects.filter(study=study, action__in=(AuditAction.OPENED, AuditAction.FILLED))
        if known.order_by("-pk").values_list("action", flat=True).first() == AuditAction.FILLED:
            return False
        notify_filled(study, now=now)
    return True


def _build_free() -> QuerySet[Any]:
    study = QueryParameter("study", BigIntegerField())
    return Slot.objects.filter(study=study, is_held=False).order_by().values_list("pk")[:1]


_FREE: Final = Prepared(_build_free)
