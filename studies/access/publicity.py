"""What visitors without an account may see: studies and reports that their owners have made public."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from studies.access.audit import Actor, record_change
from studies.enums import AuditAction, StudyState
from studies.models import FrozenReport, Study


def public_studies() -> QuerySet[Study]:
    """Return the studies that visitors may see; a draft is not among them, even if it has been made public."""
    return Study.objects.filter(is_public=True).exclude(state=StudyState.DRAFT)


def listed_studies() -> QuerySet[Study]:
    """Return the public studies that lists name; an archived one keeps its page, but is left out."""
    return public_studies().filter(archived_at=None)


def public_reports() -> QuerySet[FrozenReport]:
    """Return the reports that visitors may see: both the report and its study have been made public."""
    return FrozenReport.objects.filter(is_public=True, study__in=public_studies())


@transaction.atomic
def set_study_public(study: Study, is_public: bool, *, actor: Actor, now: datetime) -> bool:
    """Make a study public or private; return whether this changed anything. Its reports keep their own setting."""
    if not Study.objects.filter(pk=study.pk, is_public=not is_public).update(is_public=is_public):
        return False
    study.is_public = is_public
    action = AuditAction.STUDY_PUBLISHED if is_public else AuditAction.STUDY_UNPUBLISHED
    record_change(study, actor=actor, action=action, now=now)
    return True


@transaction.atomic
def set_report_public(report: FrozenReport, is_public: bool, *, actor: Actor, now: datetime) -> bool:
    """Make a report public or private; return whether this changed anything. It is seen only if its study is public."""
    if not FrozenReport.objects.filter(pk=report.pk, is_public=not is_public).update(is_public=is_public):
        return False
    report.is_public = is_public
    action = AuditAction.REPORT_PUBLISHED if is_public else AuditAction.REPORT_UNPUBLISHED
    record_change(report.study, actor=actor, action=action, now=now, details={"report": report.number})
    return True
