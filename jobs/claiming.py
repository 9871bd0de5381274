"""Who works on what: jobs are claimed in a fair order of accounts, and those of dead workers are given to others."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Count, F, Max, Min, Q, QuerySet

from jobs.ending import add_line, end_job
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import find_kind

DEAD_AFTER: Final = timedelta(seconds=30)
"""A worker that did not renew the heartbeat for so long is dead, and what it ran is lost."""

_REMEMBERED: Final = timedelta(days=1)


def claim_job(lane: str, *, now: datetime) -> Job | None:
    """Take the next job of a lane; None if none waits.

    The next one is the oldest of the account that has the fewest jobs running in the lane; of several such accounts
    the one whose turn was longest ago. So an account with a thousand jobs delays another's by one job at most.
    """
    for account in _order_accounts(lane, now=now):
        for pk in _list_waiting(lane, now).filter(account=account).order_by("pk").values_list("pk", flat=True)[:3]:
            # One statement: of several workers that try, the state is changed by one.
            claimed = Job.objects.filter(pk=pk, state=JobState.QUEUED).update(
                state=JobState.RUNNING,
                lease=secrets.token_hex(16),
                heartbeat=now,
                started_at=now,
                n_tries=F("n_tries") + 1,
                n_done=0,
                n_total=0,
                message="",
                problem="",
            )
            if claimed:
                return Job.objects.get(pk=pk)
    return None


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


def lose_dead_jobs(*, now: datetime) -> int:
    """Find the jobs whose workers are dead; return how many there were."""
    dead = Job.objects.filter(state=JobState.RUNNING, heartbeat__lt=now - DEAD_AFTER)
    return sum(lose_job(job, reason="the worker that ran it ended", now=now) for job in dead)


def renew_heartbeats(leases: Collection[str], *, now: datetime) -> set[str]:
    """Renew what this worker runs; return the leases that it still holds."""
    held = Job.objects.filter(state=JobState.RUNNING, lease__in=leases)
    held.update(heartbeat=now)
    return set(held.values_list("lease", flat=True))


def count_ahead(job: Job, *, now: datetime) -> int:
    """Return how many jobs of the same account and lane wait before this one."""
    return _list_waiting(job.lane, now).filter(account=job.account_id, pk__lt=job.pk).count()


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
