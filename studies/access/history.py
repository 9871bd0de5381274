"""The audit log of one study, for display and download."""

from collections.abc import Iterator
from typing import Final

from django.db.models import QuerySet

from correlation.csv_lines import write_csv
from studies.enums import AuditAction
from studies.models import AuditEntry, Study

COLUMNS: Final = ("at", "actor", "interface", "action", "details")


def list_history(study: Study) -> QuerySet[AuditEntry]:
    """Return the changes of a study, newest first."""
    return AuditEntry.objects.filter(study=study).order_by("-pk")


def describe_action(entry: AuditEntry) -> str:
    """Return the action in words; an action unknown to this version is returned unchanged."""
    return str(AuditAction(entry.action).label) if entry.action in AuditAction.values else entry.action


def write_history(study: Study) -> Iterator[str]:
    """Yield the lines of a CSV file: one row per change, oldest first; times in UTC."""
    entries = AuditEntry.objects.filter(study=study).order_by("pk")
    rows = entries.values_list("at", "actor_name", "interface", "action", "details")
    return write_csv(COLUMNS, rows.iterator(chunk_size=2000))
