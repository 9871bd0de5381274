"""What changed data do to reports: frozen ones become stale, and the default one is requested anew."""

from datetime import datetime
from typing import Any, Final

from jobs.registry import find_kind
from jobs.requests import identify_payload, queue_once
from studies.models import FrozenReport, Judgment, Study

DEFAULT_REPORT: Final = "default-report"
"""The name of the kind of job."""


def make_payload(study: Study) -> dict[str, Any]:
    """Return what identifies the default report of a study: pages and runs request the same job."""
    return {"study": study.pk}


def request_default_report(study: Study, *, now: datetime) -> None:
    """Queue the default report of a study that has judgments, unless a job that computes it is queued or running.

    A queued job reads the study when it starts, and a running one computes the report again if the study's setting
    has changed meanwhile: neither needs a second job.
    """
    kind = find_kind(DEFAULT_REPORT)
    if kind is not None and Judgment.objects.filter(rater__study=study).exists():
        payload = make_payload(study)
        queue_once(kind, key=identify_payload(payload), payload=payload, now=now)


def mark_stale(study: Study, *, reason: str, now: datetime) -> int:
    """Mark the reports of a study as stale, since judgments that they use are removed; return the number of new marks.

    A report that is stale already keeps its reason.
    """
    fresh = FrozenReport.objects.filter(study=study, stale_since=None)
    return fresh.update(stale_since=now, stale_reason=reason)
