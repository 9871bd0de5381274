"""Requests jobs within the quota of the account, finds them and cancels them."""

import hashlib
import json
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
    """Queue a job behind those of the same account.

    Args:
        kind: A registered kind of job.
        account: The owner; None for jobs of the site itself, which have no quota.
        payload: JSON input of the job.
        key: At most one job of this kind and key may be queued or running; if empty, any number.

    Raises:
        QuotaExceeded: The account already has `ACCORDANCE_ACCOUNT_JOBS` jobs queued or running.
        JobUnderWay: A job of this kind and key is queued or running.
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
        raise JobUnderWay("this is already in progress: wait until it ends, or cancel it") from error


def queue_once(kind: Kind, *, key: str, now: datetime, payload: Mapping[str, Any] | None = None) -> Job:
    """Queue a job of the site itself unless it is under way; of concurrent requests, only one queues it.

    Returns:
        The job as requested; if another job was there first, this one is not in the table.
    """
    job = Job(kind=kind.name, lane=kind.lane, key=key, payload=dict(payload or {}), requested_at=now, not_before=now)
    # A single statement; the constraint on kind and key prevents duplicates.
    Job.objects.bulk_create([job], ignore_conflicts=True)
    return job


def identify_payload(payload: Mapping[str, Any]) -> str:
    """Return the key of jobs that compute the newest value of what their payload names.

    It does not depend on the data that the value is computed from: a job that waits for its turn serves every request
    made until it starts, however the data change meanwhile.
    """
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def find_job(*kinds: Kind, key: str, under_way: bool = False) -> Job | None:
    """Return the newest job of these kinds and this key."""
    found = Job.objects.filter(kind__in=[kind.name for kind in kinds], key=key)
    if under_way:
        found = found.filter(state__in=UNDER_WAY)
    return found.order_by("-pk").first()


def cancel_job(job: Job, *, now: datetime, by: str = "", reason: str = "") -> None:
    """Cancel a job; its process is killed within seconds and can write nothing more.

    Args:
        by: The account or the interface that cancels it.
        reason: What is stored as its problem in place of who cancelled it.

    Raises:
        JobRefused: It has already ended.
    """
    problem = reason or (f"cancelled by {by}" if by else "cancelled")
    if not end_job(Job.objects.filter(pk=job.pk, state__in=UNDER_WAY), JobState.CANCELLED, problem=problem, now=now):
        job.refresh_from_db()
        raise JobRefused(f"the job has already ended: {job.get_state_display().lower()}")
    job.refresh_from_db()


def delete_old_jobs(*, now: datetime) -> int:
    """Delete the jobs that ended long ago, with their logs and files; return how many there were."""
    old = Q(finished_at__lt=now - KEPT)
    for kind in list_kinds():
        old |= Q(kind=kind.name, finished_at__lt=now - kind.kept)
        if kind.clean:
            kind.clean(now)
    _, n_deleted = Job.objects.filter(old).delete()
    return n_deleted.get(Job._meta.label, 0)


def _check_quota(account: Any) -> None:
    most: int = settings.ACCORDANCE_ACCOUNT_JOBS
    if not most:
        return
    # Lock the account, so that concurrent requests are counted one after the other.
    get_user_model()._default_manager.select_for_update().filter(pk=account.pk).first()
    n_jobs = Job.objects.filter(account=account, state__in=UNDER_WAY).count()
    if n_jobs >= most:
        raise QuotaExceeded(
            f"{n_jobs} jobs of your account are waiting or running, the maximum is {most}: wait until one ends"
        )
