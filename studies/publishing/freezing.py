"""Reports are frozen under a number."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from correlation.reports import Report
from correlation.reports.json_form import print_json, read_report
from studies.access.auditing import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction
from studies.models import FrozenReport, Study


class UnknownReport(Exception):
    """The study has no report of this number; the message names those it has."""


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
    """Keep a report as it is, under the study's next number.

    Args:
        study: Whose judgments it is of.
        report: The report.
        now: When.
        actor: Who freezes it.
        data_digest: What it was made from (`digest_observations`); without it no bundle of it can be made.
        facts: How the judgments came about (`collect_facts`); without them no methods are written.
    """
    # Two who freeze at once get two numbers.
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
    """Return a frozen report as the value that tables and figures are made of.

    Raises:
        UnknownReport: There is none of this number.
    """
    kept = find_report(study, number)
    return kept, read_report(kept.content)


def find_report(study: Study, number: int) -> FrozenReport:
    """Return a frozen report as it is kept; raises as `load_report` does."""
    kept = FrozenReport.objects.filter(study=study, number=number).first()
    if kept is None:
        numbers = FrozenReport.objects.filter(study=study).values_list("number", flat=True)
        known = ", ".join(map(str, numbers)) or "none"
        raise UnknownReport(f"study {study.name} has no report {number} (there are: {known})")
    return kept
