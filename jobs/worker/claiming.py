"""Claiming of jobs in a fair order of accounts, heartbeats, and requeueing of jobs lost with their workers."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet
from django.db.models.expressions import Combinable

from jobs.ending import add_line, end_job
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import Kind, find_kind

DEAD_AFTER: Final = timedelta(seconds=30)
"""A worker that has not renewed its heartbeat for this long is considered dead, and its job lost."""

HERE: Final = timedelta(minutes=10)
"""How long a process that is not a worker may hold a job before it is considered dead too."""

NO_WORKER: Final = timedelta(seconds=30)
"""If no worker has started a job for this long, no worker is assumed to be running."""

_REMEMBERED: Final = timedelta(days=1)


def claim_job(lane: str, *, now: datetime) -> Job | None:
    """Claim the next job of a lane; return None if none is queued.

    It is the oldest job of the account that has the fewest running jobs in the lane; of several such accounts, the one
    whose last job was started the longest ago. So an account with a thousand jobs delays another's by at most one job.
    """
    for account in _order_accounts(lane, now=now):
        for pk in _list_waiting(lane, now).filter(account=account).order_by("pk").values_list("pk", flat=True)[:3]:
            job = _take(Job.objects.filter(pk=pk), now=now, heartbeat=now)
            if job is not None:
                return job
    return None


def list_waiting_lanes(now: datetime) -> set[str]:
    """Return the lanes in which a job is queued that may start now."""
    waiting = Job.objects.filter(state=JobState.QUEUED, not_before__lte=now)
    return set(waiting.order_by().values_list("lane", flat=True).distinct())


def claim_here(kind: Kind, *, key: str, now: datetime) -> Job | None:
    """Claim the queued job of this kind and key for this process, which is not a worker; return None if there is none.

    Its heartbeat is not renewed, so it is set ahead by the longest time that a request may take.
    """
    return _take(Job.objects.filter(kind=kind.name, key=key), now=now, heartbeat=now + HERE)


def is_left(job: Job, *, now: datetime) -> bool:
    """Whether a job has been queued for a while and no worker is running any job of its lane."""
    if job.state != JobState.QUEUED or now - job.requested_at <= NO_WORKER:
        return False
    # Jobs claimed by a request have a heartbeat in the future, which says nothing about workers.
    alive = Q(heartbeat__gte=now - DEAD_AFTER, heartbeat__lte=now + DEAD_AFTER)
    return not Job.objects.filter(alive, lane=job.lane, state=JobState.RUNNING).exists()


@transaction.atomic
def give_back(job: Job, *, reason: str, now: datetime) -> bool:
    """Requeue a running job without counting the try, because its worker was asked to stop."""
    if not _queue_again(job, reason, now=now, not_before=now, n_tries=F("n_tries") - 1):
        return False
    kind = find_kind(job.kind)
    if kind and kind.on_return:
        kind.on_return(job)
    return True


def try_again(job: Job, *, reason: str, after: timedelta, now: datetime) -> bool:
    """Requeue a running job for later, or fail it if no tries are left."""
    if job.n_tries < _count_tries(job):
        return _queue_again(job, reason, now=now, not_before=now + after, n_tries=F("n_tries"))
    return end_job(_hold(job), JobState.FAILED, now=now, problem=reason)


@transaction.atomic
def lose_job(job: Job, *, reason: str, now: datetime) -> bool:
    """Mark a running job as lost with its worker, and requeue it while tries are left."""
    most, n_tries = _count_tries(job), _hold(job).values_list("n_tries", flat=True).first()
    # Read from the database: the work may have restarted the count.
    if n_tries is None:
        return False
    if n_tries < most:
        if not _hold(job).update(state=JobState.LOST, lease="", finished_at=now, problem=reason):
            return False
        add_line(job, f"lost: {reason}", now=now)
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, finished_at=None, problem="", not_before=now)
        add_line(job, f"queued again: try {n_tries + 1} of {most}", now=now)
        return True
    times = f", {n_tries} times" if n_tries > 1 else ""
    return end_job(_hold(job), JobState.LOST, now=now, problem=f"{reason}{times}")


@transaction.atomic
def lose_dead_jobs(*, now: datetime) -> int:
    """Mark the jobs of dead workers as lost; return how many there were."""
    dead = _skip_locked(Job.objects.filter(state=JobState.RUNNING, heartbeat__lt=now - DEAD_AFTER))
    return sum(lose_job(job, reason="the worker running it exited", now=now) for job in dead)


@transaction.atomic
def renew_heartbeats(leases: Collection[str], *, now: datetime) -> None:
    """Renew the heartbeats of the jobs with these leases.

    A row that is locked by a transaction of its job is skipped: the lock shows that the job is alive.
    """
    running = Job.objects.filter(state=JobState.RUNNING, lease__in=leases)
    free = list(_skip_locked(running).values_list("pk", flat=True))
    # Never set a heartbeat back: jobs claimed by a request have one in the future.
    running.filter(pk__in=free, heartbeat__lt=now).update(heartbeat=now)


def list_taken_away(jobs: Collection[Job]) -> set[int]:
    """Return the primary keys of the jobs that were cancelled or reassigned while they were running."""
    leases = {job.pk: job.lease for job in jobs}
    # A job that its own process has marked as done or failed was not taken away.
    rows = Job.objects.filter(pk__in=leases).values_list("pk", "state", "lease")
    ours = {pk for pk, state, lease in rows if lease == leases[pk] or state in (JobState.DONE, JobState.FAILED)}
    return leases.keys() - ours


def _skip_locked(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Lock and return the jobs that are not locked; SQLite locks the whole database anyway."""
    is_able = connection.features.has_select_for_update_skip_locked
    return jobs.order_by("pk").select_for_update(skip_locked=True) if is_able else jobs.order_by("pk")


def count_ahead(job: Job, *, now: datetime) -> int:
    """Return how many jobs of the same account and lane are queued before this one."""
    return _list_waiting(job.lane, now).filter(account=job.account_id, pk__lt=job.pk).count()


def find_running(lane: str) -> Job | None:
    """Return the job of a lane that is running, the oldest if there are several."""
    return Job.objects.filter(lane=lane, state=JobState.RUNNING).order_by("started_at").first()


def _take(jobs: QuerySet[Job], *, now: datetime, heartbeat: datetime) -> Job | None:
    lease = secrets.token_hex(16)
    # A single statement, so that only one of several competing workers changes the state.
    taken = jobs.filter(state=JobState.QUEUED).update(
        state=JobState.RUNNING,
        lease=lease,
        heartbeat=heartbeat,
        started_at=now,
        n_tries=F("n_tries") + 1,
        n_done=0,
        n_total=0,
        message="",
        problem="",
    )
    return jobs.get(lease=lease) if taken else None


def _order_accounts(lane: str, *, now: datetime) -> list[int | None]:
    waiting = _list_waiting(lane, now).order_by().values("account").annotate(first=Min("pk"))
    first = {row["account"]: row["first"] for row in waiting}
    if len(first) <= 1:
        return list(first)
    since = Q(started_at__gte=now - _REMEMBERED)
    of_lane = Job.objects.filter(Q(account__in=[pk for pk in first if pk]) | Q(account=None), since, lane=lane)
    turns = of_lane.order_by().values("account")
    turns = turns.annotate(last=Max("started_at"), n_running=Count("pk", filter=Q(state=JobState.RUNNING)))
    known = {row["account"]: (row["n_running"], row["last"]) for row in turns}
    never = (0, now - _REMEMBERED)
    return sorted(first, key=lambda account: (*known.get(account, never), first[account]))


def _list_waiting(lane: str, now: datetime) -> QuerySet[Job]:
    return Job.objects.filter(lane=lane, state=JobState.QUEUED, not_before__lte=now)


def _hold(job: Job) -> QuerySet[Job]:
    return Job.objects.filter(pk=job.pk, state=JobState.RUNNING, lease=job.lease)


def _count_tries(job: Job) -> int:
    kind = find_kind(job.kind)
    return kind.most_tries if kind else 1


@transaction.atomic
def _queue_again(job: Job, reason: str, *, now: datetime, not_before: datetime, n_tries: Combinable) -> bool:
    if not _hold(job).update(state=JobState.QUEUED, lease="", not_before=not_before, n_tries=n_tries):
        return False
    add_line(job, f"queued again: {reason}", now=now)
    return True
