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
from studies.enums import AuditAction
from studies.models import FrozenReport, Study
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
        now: The time.
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
        made_at=now,
        made_by=actor.user,
    )
    details = {"report": kept.number, "sha256": kept.digest}
    record_change(study, actor=actor, action=AuditAction.REPORTED, now=now, details=details)
    return kept


def load_report(study: Study, number: int) -> tuple[FrozenReport, Report]:
    """Return a frozen report together with the value from which tables and figures are made.

    Raises:
        UnknownReport: There is no report with this number.
    """
    kept = find_report(study, number)
    return kept, read_report(kept.content)


def find_report(study: Study, number: int) -> FrozenReport:
    """Return a frozen report as stored; raises the errors of `load_report`."""
    kept = FrozenReport.objects.filter(study=study, number=number).first()
    if kept is None:
        numbers = FrozenReport.objects.filter(study=study).values_list("number", flat=True)
        known = ", ".join(map(str, numbers)) or "none"
        raise UnknownReport(f"study {study.name} has no report {number} (known: {known})")
    return kept
