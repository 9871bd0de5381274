"""Requests the default report of a study by the name of its kind of job, which a higher package registers."""

from datetime import datetime
from typing import Final

from jobs.registry import find_kind
from jobs.requests import queue_once
from studies.models import Judgment, Study

DEFAULT_REPORT: Final = "default-report"
"""The name of the kind, and the beginning of its jobs' keys."""


def request_default_report(study: Study, *, cause: str, now: datetime) -> None:
    """Queue the default report of a study that has judgments.

    Args:
        study: The study.
        cause: Why it is requested, such as `run-3`; at most one job for the same cause is under way.
        now: The time.
    """
    kind = find_kind(DEFAULT_REPORT)
    if kind is not None and Judgment.objects.filter(rater__study=study).exists():
        queue_once(kind, key=f"{DEFAULT_REPORT}:{cause}", payload={"study": study.pk}, now=now)
