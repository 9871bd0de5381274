"""Who works on what: jobs are claimed in a fair order of accounts, and those of dead workers are given to others."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet

from jobs.ending import add_line, end_job
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import Kind, find_kind

DEAD_AFTER: Final = timedelta(seconds=30)
"""A worker that did not renew the heartbeat for so long is dead, and what it ran is lost."""

HERE: Final = timedelta(minutes=10)
"""For so long a process that is no worker may be at what it took, before it counts as dead too."""

NO_WORKER: Final = timedelta(seconds=30)
"""After so long without a worker that begins nobody works."""

_REMEMBERED: Final = timedelta(days=1)


def claim_job(lane: str, *, now: datetime) -> Job | None:
    """Take the next job of a lane; None if none waits.

    The next one is the oldest of the account that has the fewest jobs running in the lane; of several such accounts
    the one whose turn was longest ago. So an account with a thousand jobs delays another's by one job at most.
    """
    for account in _order_accounts(lane, now=now):
        for pk in _list_waiting(lane, now).filter(account=account).order_by("pk").values_list("pk", flat=True)[:3]:
            job = _take(Job.objects.filter(pk=pk), now=now, heartbeat=now)
            if job is not None:
                return job
    return None


def claim_here(kind: Kind, *, key: str, now: datetime) -> Job | None:
    """Take the waiting job of this kind and key for this very process, which is no worker; None if there is none.

    Nobody renews its heartbeat, so it is dated ahead by the longest time that a request may take.
    """
    return _take(Job.objects.filter(kind=kind.name, key=key), now=now, heartbeat=now + HERE)


def is_left(job: Job, *, now: datetime) -> bool:
    """Whether a job waits because nobody works: for a while, and nothing else of its lane is being worked on."""
    if job.state != JobState.QUEUED or now - job.requested_at <= NO_WORKER:
        return False
    # What a page took is dated ahead, and says nothing of workers.
    alive = Q(heartbeat__gte=now - DEAD_AFTER, heartbeat__lte=now + DEAD_AFTER)
    return not Job.objects.filter(alive, lane=job.lane, state=JobState.RUNNING).exists()


def give_back(job: Job, *, reason: str, now: datetime) -> bool:
    """Queue a running job again as if nobody had begun with it: its worker was told to stop."""
    return _queue_again(job, reason, now=now, not_before=now, n_tries=max(0, job.n_tries - 1))


def try_again(job: Job, *, reason: str, after: timedelta, now: datetime) -> bool:
    """Queue a running job again for later, or end it as failed if it has no try left."""
    if job.n_tries < _count_tries(job):
        return _queue_again(job, reason, now=now, not_before=now + after, n_tries=job.n_tries)
    return end_job(_hold(job), JobState.FAILED, now=now, problem=reason)


@transaction.atomic
def lose_job(job: Job, *, reason: str, now: datetime) -> bool:
    """Say that a running job was lost with its worker, and queue it again while it has tries left."""
    most = _count_tries(job)
    if job.n_tries < most:
        if not _hold(job).update(state=JobState.LOST, lease="", finished_at=now, problem=reason):
            return False
        add_line(job, f"lost: {reason}", now=now)
        Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, finished_at=None, problem="", not_before=now)
        add_line(job, f"queued again: try {job.n_tries + 1} of {most}", now=now)
        return True
    times = f", {job.n_tries} times" if job.n_tries > 1 else ""
    return end_job(_hold(job), JobState.LOST, now=now, problem=f"{reason}{times}")


@transaction.atomic
def lose_dead_jobs(*, now: datetime) -> int:
    """Find the jobs whose workers are dead; return how many there were."""
    dead = _skip_locked(Job.objects.filter(state=JobState.RUNNING, heartbeat__lt=now - DEAD_AFTER))
    return sum(lose_job(job, reason="the worker that ran it ended", now=now) for job in dead)


@transaction.atomic
def renew_heartbeats(leases: Collection[str], *, now: datetime) -> None:
    """Say of the jobs with these leases that they are alive.

    The row of a job that is in the middle of a transaction is locked by it, which says the same.
    """
    running = Job.objects.filter(state=JobState.RUNNING, lease__in=leases)
    free = list(_skip_locked(running).values_list("pk", flat=True))
    # Never back: what a page took is dated ahead.
    running.filter(pk__in=free, heartbeat__lt=now).update(heartbeat=now)


def list_taken_away(jobs: Collection[Job]) -> set[int]:
    """Return those jobs, by primary key, that were cancelled or given to others while they were run."""
    leases = {job.pk: job.lease for job in jobs}
    # Its own work ends a job as done or failed.
    rows = Job.objects.filter(pk__in=leases).values_list("pk", "state", "lease")
    ours = {pk for pk, state, lease in rows if lease == leases[pk] or state in (JobState.DONE, JobState.FAILED)}
    return leases.keys() - ours


def _skip_locked(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Lock the jobs that nobody else has locked, and return those; SQLite locks all of the database anyway."""
    is_able = connection.features.has_select_for_update_skip_locked
    return jobs.order_by("pk").select_for_update(skip_locked=True) if is_able else jobs.order_by("pk")


def count_ahead(job: Job, *, now: datetime) -> int:
    """Return how many jobs of the same account and lane wait before this one."""
    return _list_waiting(job.lane, now).filter(account=job.account_id, pk__lt=job.pk).count()


def _take(jobs: QuerySet[Job], *, now: datetime, heartbeat: datetime) -> Job | None:
    lease = secrets.token_hex(16)
    # One statement: of several workers that try, the state is changed by one.
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
def _queue_again(job: Job, reason: str, *, now: datetime, not_before: datetime, n_tries: int) -> bool:
    if not _hold(job).update(state=JobState.QUEUED, lease="", not_before=not_before, n_tries=n_tries):
        return False
    add_line(job, f"queued again: {reason}", now=now)
    return True
