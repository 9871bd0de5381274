"""Runs a claimed job in this process and records its outcome."""

import logging
from collections.abc import Callable
from datetime import datetime

from jobs.errors import JobStopped, TryAgain, WorkFailed
from jobs.models import Job
from jobs.registry import find_kind, list_lanes
from jobs.running_job import JobHandle
from jobs.worker.claiming import claim_job, list_waiting_lanes, try_again


def run_job(job: Job, *, now: Callable[[], datetime], lift_limits: Callable[[], None] = lambda: None) -> None:
    """Run a claimed job. The outcome is recorded in its row, unless the worker has lost the job.

    Args:
        job: The claimed job.
        now: The clock.
        lift_limits: Called before the outcome is recorded, since the memory limit may have been reached.
    """
    kind = find_kind(job.kind)
    handle = JobHandle(job, now=now)
    try:
        if kind is None:
            handle.fail(f"no installed app handles jobs of kind {job.kind!r}")
            return
        try:
            result = kind.work(handle)
        finally:
            lift_limits()
        if not handle.is_finished:
            handle.finish(result)
    except JobStopped:
        return
    except TryAgain as error:
        try_again(job, reason=str(error), after=error.after, now=now())
    except WorkFailed as error:
        _fail(handle, str(error))
    except MemoryError:
        most = f" ({kind.memory():,} MiB)" if kind and kind.memory() else ""
        _fail(handle, f"it exceeded its memory limit{most}")
    except Exception as error:
        logging.getLogger(__name__).exception("job %s of kind %s failed", job.pk, job.kind)
        _fail(handle, f"unexpected error: {type(error).__name__}")


def run_waiting_jobs(*, now: Callable[[], datetime]) -> int:
    """Run all queued jobs in this process, one after the other; return how many there were.

    Their memory and time are not limited: for tests and for an operator's shell.
    """
    n_run = 0
    while claimed := [job for lane in _list_busy_lanes(now()) if (job := claim_job(lane, now=now()))]:
        for job in claimed:
            run_job(job, now=now)
            n_run += 1
    return n_run


def _list_busy_lanes(now: datetime) -> list[str]:
    waiting = list_waiting_lanes(now)
    return [lane for lane in list_lanes() if lane in waiting]


def _fail(handle: JobHandle, problem: str) -> None:
    try:
        handle.fail(problem)
    except JobStopped:
        return
