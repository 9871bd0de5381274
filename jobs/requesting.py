"""Asks for jobs within the quota of the account, finds them again and cancels them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q

from jobs.ending import end_job
from jobs.enums import UNDER_WAY, JobState
from jobs.errors import JobRefused, JobUnderWay, QuotaExceeded
from jobs.models import Job
from jobs.registry import KEPT, Kind, list_kinds


@transaction.atomic
def request_job(
    kind: Kind, *, account: Any | None, now: datetime, payload: Mapping[str, Any] | None = None, key: str = ""
) -> Job:
    """Put a job behind those of the same account; a worker takes it when its turn comes.

    Args:
        kind: A registered kind.
        account: The user it is for; None for work of the site itself, which has no quota.
        now: When.
        payload: JSON that the work is given.
        key: At most one job of this kind and key waits or runs; empty: any number.

    Raises:
        QuotaExceeded: The account has `ACCORDANCE_ACCOUNT_JOBS` jobs that wait or run.
        JobUnderWay: One of this kind and key waits or runs.
    """
    if account is not None:
        _check_quota(account)
    try:
        with transaction.atomic():
            return Job.objects.create(
                kind=kind.name,
                lane=kind.lane,
                key=key,
                account=account,
                payload=dict(payload or {}),
                requested_at=now,
                not_before=now,
            )
    except IntegrityError as error:
        if find_job(kind, key=key, under_way=True) is None:
            raise
        raise JobUnderWay("this is being worked on: wait for its end, or cancel it") from error


def queue_once(kind: Kind, *, key: str, now: datetime, payload: Mapping[str, Any] | None = None) -> Job:
    """Queue work of the site itself unless it is under way: of all that ask at once, one queues it.

    Returns:
        The job as it was asked for, which is not the one in the table if that was there first.
    """
    job = Job(kind=kind.name, lane=kind.lane, key=key, payload=dict(payload or {}), requested_at=now, not_before=now)
    # One statement, and the constraint on kind and key decides.
    Job.objects.bulk_create([job], ignore_conflicts=True)
    return job


def find_job(*kinds: Kind, key: str, under_way: bool = False) -> Job | None:
    """Return the newest job of these kinds and this key."""
    found = Job.objects.filter(kind__in=[kind.name for kind in kinds], key=key)
    if under_way:
        found = found.filter(state__in=UNDER_WAY)
    return found.order_by("-pk").first()


def cancel_job(job: Job, *, now: datetime, by: str = "") -> None:
    """Give a job up for good; the process that runs it is ended within seconds, and can write nothing more.

    Raises:
        JobRefused: It has ended.
    """
    problem = f"cancelled by {by}" if by else "cancelled"
    if not end_job(Job.objects.filter(pk=job.pk, state__in=UNDER_WAY), JobState.CANCELLED, problem=problem, now=now):
        job.refresh_from_db()
        raise JobRefused(f"the job is over: {job.get_state_display().lower()}")
    job.refresh_from_db()


def delete_old_jobs(*, now: datetime) -> int:
    """Delete the jobs that ended long ago, with their logs; return how many there were."""
    old = Q(finished_at__lt=now - KEPT)
    for kind in list_kinds():
        old |= Q(kind=kind.name, finished_at__lt=now - kind.kept)
    _, n_deleted = Job.objects.filter(old).delete()
    return n_deleted.get(Job._meta.label, 0)


def _check_quota(account: Any) -> None:
    most: int = settings.ACCORDANCE_ACCOUNT_JOBS
    if not most:
        return
    # Locked, so that requests at the same time are counted one after the other.
    get_user_model()._default_manager.select_for_update().filter(pk=account.pk).first()
    n_jobs = Job.objects.filter(account=account, state__in=UNDER_WAY).count()
    if n_jobs >= most:
        raise QuotaExceeded(f"{n_jobs} jobs of your account wait or run, and it may have {most}: wait until one ends")
