"""Marks frozen reports as stale when judgments that they use are removed."""

from datetime import datetime

from studies.models import FrozenReport, Study


def mark_stale(study: Study, *, reason: str, now: datetime) -> int:
    """Mark the reports of a study as stale, since judgments that they use are removed; return the number of new marks.

    A report that is stale already keeps its reason.
    """
    fresh = FrozenReport.objects.filter(study=study, stale_since=None)
    return fresh.update(stale_since=now, stale_reason=reason)
