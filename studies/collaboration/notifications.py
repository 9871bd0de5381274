"""Notifies the people of a study, by mail and by webhook, that a run has ended, all tasks are done or a report exists.

Only the owner and members are notified, if their account is open and they have asked for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.urls import reverse

from studies.access.audit import Actor, record_change
from studies.collaboration.mailing import queue_mails
from studies.collaboration.webhooks import queue_webhooks
from studies.enums import AuditAction, Interface, RequestState
from studies.models import FrozenReport, ScoringRequest, Study, StudyMember

SITE: Final = Actor(user=None, interface=Interface.SITE)
RUN_ENDED: Final = "run.ended"
STUDY_FILLED: Final = "study.filled"
REPORT_FROZEN: Final = "report.frozen"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What has happened in a study.

    Attributes:
        event: Its kind, one of the constants of this module.
        key: Differs between any two events.
        subject: What happened, in a few words after the title of the study.
        page: The path of the page that shows it.
        data: What programs are told in addition to study and page, as JSON; no scores and no personal data.
    """

    event: str
    key: str
    subject: str
    page: str
    data: Mapping[str, Any] = field(default_factory=dict)


def notify_run_ended(request: ScoringRequest, *, state: RequestState, now: datetime) -> None:
    """Record that a run has finished or failed, and notify; call it in the transaction that ends the run."""
    study, details = request.study, {"run": request.pk, "state": str(state)}
    record_change(study, actor=SITE, action=AuditAction.RUN_ENDED, now=now, details=details)
    notice = Notice(
        event=RUN_ENDED,
        key=f"{RUN_ENDED}-{request.pk}",
        subject=f"run {request.pk} of metrics has {state.label.lower()}",
        page=reverse("studies:run", args=[study.name, request.pk]),
        data=details,
    )
    notify(study, notice, now=now)


def notify_filled(study: Study, *, now: datetime) -> None:
    """Record that all planned tasks of a study are done, and notify; call it in one transaction."""
    entry = record_change(study, actor=SITE, action=AuditAction.FILLED, now=now)
    notice = Notice(
        event=STUDY_FILLED,
        key=f"{STUDY_FILLED}-{entry.pk}",
        subject="all planned tasks are done",
        page=reverse("studies:study", args=[study.name]),
    )
    notify(study, notice, now=now)


def notify_report_frozen(report: FrozenReport, *, now: datetime) -> None:
    """Notify of a new report, which is in the history already; call it in the transaction that freezes it."""
    notice = Notice(
        event=REPORT_FROZEN,
        key=f"{REPORT_FROZEN}-{report.pk}",
        subject=f"report {report.number} has been created",
        page=reverse("studies:report", args=[report.study.name, report.number]),
        data={"report": report.number},
    )
    notify(report.study, notice, now=now)


def notify(study: Study, notice: Notice, *, now: datetime) -> None:
    """Queue the mails and webhooks of a notice, in the current transaction."""
    people = list_people(study)
    data = {"study": study.name, **notice.data}
    queue_webhooks(people, study, event=notice.event, key=notice.key, page=notice.page, data=data, now=now)
    queue_mails(people, study, subject=notice.subject, key=notice.key, page=notice.page, now=now)


def list_people(study: Study) -> QuerySet[Any]:
    """Return the owner and the members of a study whose accounts are open."""
    members = StudyMember.objects.filter(study=study).values("user")
    belongs = Q(pk=study.owner_id) | Q(pk__in=members)
    return get_user_model()._default_manager.filter(belongs, is_active=True)
