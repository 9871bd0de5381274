"""The context of the page fragment that shows a job."""

from datetime import datetime, timedelta
from typing import Any, Final

from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import find_kind
from jobs.worker.claiming import count_ahead, find_running, is_left

_EAGER: Final = timedelta(seconds=4)
"""A younger job is polled more often: most small jobs end within this time."""


def may_see(user: Any, job: Job) -> bool:
    """Whether a user may see a job: the owner, or anyone its kind allows."""
    kind = find_kind(job.kind)
    return _is_theirs(user, job) or bool(kind and kind.may_see and kind.may_see(user, job))


def may_cancel(user: Any, job: Job) -> bool:
    """Whether a user may cancel a job: everyone its kind allows, or by default everyone who may see it."""
    kind = find_kind(job.kind)
    if kind is None or kind.may_cancel is None:
        return may_see(user, job)
    return bool(user.is_superuser or kind.may_cancel(user, job))


def _is_theirs(user: Any, job: Job) -> bool:
    return bool(user.is_superuser) or (job.account_id is not None and job.account_id == user.pk)


def describe_job(job: Job, *, user: Any, again: str, now: datetime) -> dict[str, Any]:
    """Return the context of the template `jobs/job.html`.

    Args:
        user: The viewer.
        again: The address of the page with the fragment, for reloading without JavaScript.
    """
    return {
        **describe_standing(job, now=now),
        "may_cancel": job.is_under_way and may_cancel(user, job),
        "title": _get_title(job),
        "again": again,
        "is_young": now - job.requested_at < _EAGER,
    }


def describe_standing(job: Job, *, now: datetime) -> dict[str, Any]:
    """Return the context of the template `jobs/standing.html`: how far a job is, or which jobs it waits for."""
    end = job.estimate_end(now)
    is_queued = job.state == JobState.QUEUED
    # A job that another request queued at the same time has no key here.
    n_ahead = count_ahead(job, now=now) if is_queued and job.pk else 0
    running = find_running(job.lane) if is_queued else None
    return {
        "job": job,
        "seconds_left": max(1, round((end - now).total_seconds())) if end else None,
        "n_ahead": n_ahead,
        "running": _get_title(running) if running else "",
        "n_running_done": running.n_done if running else 0,
        "n_running_total": running.n_total if running else 0,
        "has_no_worker": is_queued and running is None and is_left(job, now=now),
    }


def _get_title(job: Job) -> str:
    kind = find_kind(job.kind)
    return kind.title if kind else job.kind
