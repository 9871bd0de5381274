"""What the part of a page that shows a job says."""

from datetime import datetime, timedelta
from typing import Any, Final

from jobs.claiming import count_ahead
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import find_kind

_EAGER: Final = timedelta(seconds=4)
"""A job as young as this is looked at more often: most small ones are through by then."""


def describe_job(job: Job, *, again: str, now: datetime) -> dict[str, Any]:
    """Return what the template `jobs/job.html` is given.

    Args:
        job: The job.
        again: The address of the page that it stands on, for who has no JavaScript.
        now: The time.
    """
    kind = find_kind(job.kind)
    end = job.estimate_end(now)
    return {
        "job": job,
        "title": kind.title if kind else job.kind,
        "again": again,
        "seconds_left": max(1, round((end - now).total_seconds())) if end else None,
        "n_ahead": count_ahead(job, now=now) if job.state == JobState.QUEUED else 0,
        "is_young": now - job.requested_at < _EAGER,
    }
