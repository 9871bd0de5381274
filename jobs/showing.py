"""What the part of a page that shows a job says."""

from datetime import datetime, timedelta
from typing import Any, Final

from jobs.claiming import count_ahead
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import find_kind

_EAGER: Final = timedelta(seconds=4)
"""A job as young as this is looked at more often: most small ones are through by then."""


def may_see(user: Any, job: Job) -> bool:
    """Whether somebody may look at a job: it is theirs, or its kind lets them."""
    kind = find_kind(job.kind)
    return _is_theirs(user, job) or bool(kind and kind.may_see and kind.may_see(user, job))


def may_cancel(user: Any, job: Job) -> bool:
    """Whether somebody may give a job up: it is theirs, or its kind lets them."""
    kind = find_kind(job.kind)
    decide = kind and (kind.may_cancel or kind.may_see)
    return _is_theirs(user, job) or bool(decide and decide(user, job))


def _is_theirs(user: Any, job: Job) -> bool:
    return bool(user.is_superuser) or (job.account_id is not None and job.account_id == user.pk)


def describe_job(job: Job, *, user: Any, again: str, now: datetime) -> dict[str, Any]:
    """Return what the template `jobs/job.html` is given.

    Args:
        job: The job.
        user: Who looks at it.
        again: The address of the page that it stands on, for who has no JavaScript.
        now: The time.
    """
    kind = find_kind(job.kind)
    end = job.estimate_end(now)
    return {
        "job": job,
        "may_cancel": job.is_under_way and may_cancel(user, job),
        "title": kind.title if kind else job.kind,
        "again": again,
        "seconds_left": max(1, round((end - now).total_seconds())) if end else None,
        "n_ahead": count_ahead(job, now=now) if job.state == JobState.QUEUED else 0,
        "is_young": now - job.requested_at < _EAGER,
    }
