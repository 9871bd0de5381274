"""Frozen reports become stale when judgments that they rest on go."""

from datetime import datetime

from studies.models import FrozenReport, Study


def mark_stale(study: Study, *, reason: str, now: datetime) -> int:
    """Say of the study's reports that judgments which they rest on are gone; the first reason stays.

    Return how many were marked.
    """
    fresh = FrozenReport.objects.filter(study=study, stale_since=None)
    return fresh.update(stale_since=now, stale_reason=reason)
