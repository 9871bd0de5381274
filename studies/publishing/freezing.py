"""Freezing and loading of reports under a number."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from correlation.reports import Report
from correlation.reports.json_form import print_json, read_report
from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collaboration.notifications import notify_report_frozen
from studies.enums import AuditAction
from studies.models import FrozenReport, Study
from studies.publishing.report_matrix import describe_column
from studies.shared.errors import Refusal


class UnknownReport(Refusal):
    """The study has no report with this number; the message lists the existing ones."""


@transaction.atomic
def freeze_report(
    study: Study,
    report: Report,
    *,
    now: datetime,
    actor: Actor = COMMAND_LINE,
    data_digest: str = "",
    facts: Mapping[str, Any] | None = None,
) -> FrozenReport:
    """Store a report unchanged, under the study's next number.

    Args:
        study: The study that it reports on.
        report: The report.
        actor: The account that freezes it.
        data_digest: The digest of its data (`digest_observations`); without it, no bundle can be made.
        facts: How the judgments were collected (`collect_facts`); without it, no methods text is written.
    """
    # Lock the study, so that concurrent calls get different numbers.
    Study.objects.select_for_update().get(pk=study.pk)
    last = FrozenReport.objects.filter(study=study).aggregate(last=Max("number"))["last"] or 0
    content = print_json(report)
    kept = FrozenReport.objects.create(
        study=study,
        number=last + 1,
        content=content,
        digest=hashlib.sha256(content.encode()).hexdigest(),
        data_digest=data_digest,
        facts=dict(facts or {}),
        column=describe_column(report),
        made_at=now,
        made_by=actor.user,
    )
    details = {"report": kept.number, "sha256": kept.digest}
    record_change(study, actor=actor, action=AuditAction.REPORTED, now=now, details=details)
    notify_report_frozen(kept, now=now)
    return kept


@transaction.atomic
def title_report(frozen: FrozenReport, title: str, *, actor: Actor, now: datetime) -> bool:
    """Change the title that readers of a report see; return whether this changed anything.

    An empty title, and that of the study, are the default, which follows the title of the study.
    """
    title = "" if title == frozen.study.title else title
    if not FrozenReport.objects.filter(pk=frozen.pk).exclude(title=title).update(title=title):
        return False
    frozen.title = title
    details = {"report": frozen.number, "title": title}
    record_change(frozen.study, actor=actor, action=AuditAction.REPORT_TITLED, now=now, details=details)
    return True


def load_report(study: Study, number: int) -> tuple[FrozenReport, Report]:
    """Return a frozen report together with the value from which tables and figures are made.

    Raises:
        UnknownReport: There is no report with this number.
    """
    kept = find_report(study, number)
    return kept, read_report(kept.content)


def find_report(study: Study, number: int) -> FrozenReport:
    """Return a frozen report as stored; raises the errors of `load_report`."""
    kept = FrozenReport.objects.select_related("study").filter(study=study, number=number).first()
    if kept is None:
        numbers = FrozenReport.objects.filter(study=study).values_list("number", flat=True)
        known = ", ".join(map(str, numbers)) or "none"
        raise UnknownReport(f"study {study.name} has no report {number} (known: {known})")
    return kept
