"""Runs jobs in child processes, one per lane, and kills those that exceed their limits."""

import logging
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from django.db import DatabaseError, connections

from jobs.ending import end_job
from jobs.enums import JobState
from jobs.errors import TryAgain
from jobs.models import Job
from jobs.registry import list_lanes
from jobs.requests import delete_old_jobs
from jobs.worker.children import Child
from jobs.worker.claiming import claim_job, give_back, list_taken_away, lose_dead_jobs, lose_job, renew_heartbeats
from jobs.worker.lock_timeouts import wait_as_usual, wait_little

LOOK_SECONDS: Final = 0.2
BEAT_SECONDS: Final = 2.0
CANCEL_SECONDS: Final = 0.5
REQUEUE_SECONDS: Final = 10.0
CLEAN_SECONDS: Final = 3600.0
_LOG: Final = logging.getLogger(__name__)


class Dispatcher:
    """Claims jobs and runs each in a child process, until it is asked to stop.

    It renews the heartbeats of its jobs, so a busy job is not considered dead. Its children end with it, however it
    ends. It must be the only thread of its process, since it forks. Each database operation is attempted separately and
    retried soon after a failure, so that a locked row or a lost connection does not block the others.
    """

    def __init__(self, *, now: Callable[[], datetime], lanes: tuple[str, ...] | None = None) -> None:
        self._now = now
        self._lanes = lanes or list_lanes()
        self._children: dict[str, Child] = {}
        self._ends: list[tuple[Job, str, bool]] = []
        self._due: dict[str, float] = {}
        self._is_told = False

    def stop(self, *_: Any) -> None:
        """Make `run` return soon, requeueing what is running. Can be used as a signal handler."""
        self._is_told = True

    def run(self, *, batch: bool = False) -> None:
        """Run jobs until `stop` is called; with `batch`, until no job is queued or running."""
        connections.close_all()
        wait_little()
        try:
            while not self._is_told:
                is_idle = self._turn()
                if batch and is_idle:
                    return
                time.sleep(LOOK_SECONDS)
        finally:
            self._give_all_back()
            connections.close_all()
            wait_as_usual()

    def _turn(self) -> bool:
        """Check the children and start queued jobs; return whether there was nothing to do."""
        # Begin with the work that needs no database.
        self._look_after_children()
        went_well = True
        for end in tuple(self._ends):
            went_well &= self._try(self._write_end, *end)
        went_well &= self._try_when_due("beat", BEAT_SECONDS, self._beat)
        went_well &= self._try_when_due("cancel", CANCEL_SECONDS, self._end_what_is_not_ours)
        went_well &= self._try_when_due("requeue", REQUEUE_SECONDS, lambda: lose_dead_jobs(now=self._now()))
        went_well &= self._try_when_due("clean", CLEAN_SECONDS, lambda: delete_old_jobs(now=self._now()))
        for lane in self._lanes:
            if self._is_free(lane):
                went_well &= self._try(self._begin, lane)
        return went_well and not self._list_busy()

    def _try(self, do: Callable[..., object], *arguments: object) -> bool:
        """Run an operation on the database, or on files of jobs; return whether it succeeded."""
        try:
            do(*arguments)
        except (DatabaseError, TryAgain) as error:
            _LOG.warning("the worker could not access its jobs or their files and will retry: %s", error)
            connections.close_all()
            return False
        return True

    def _try_when_due(self, what: str, seconds: float, do: Callable[[], object]) -> bool:
        if time.monotonic() < self._due.get(what, 0.0):
            return True
        self._due[what] = time.monotonic() + seconds
        return self._try(do)

    def _is_free(self, lane: str) -> bool:
        return lane not in self._children or self._children[lane].job is None

    def _begin(self, lane: str) -> None:
        job = claim_job(lane, now=self._now())
        if job is None:
            return
        waiting = self._children.get(lane)
        if waiting and waiting.give(job):
            return
        if waiting:
            waiting.end()
            waiting.wait()
        self._children[lane] = Child(job, now=self._now)

    def _look_after_children(self) -> None:
        for lane, child in list(self._children.items()):
            if child.job and child.has_done():
                child.rest()
            child.end_if_too_much()
            code = child.find_end()
            if code is None:
                continue
            del self._children[lane]
            if child.job:
                self._ends.append((child.job, child.problem or _explain(code), bool(child.problem)))

    def _write_end(self, job: Job, problem: str, is_final: bool) -> None:
        """Record the end of a job whose process has ended without recording it."""
        held = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, lease=job.lease)
        if is_final:
            end_job(held, JobState.FAILED, problem=problem, now=self._now())
        else:
            lose_job(job, reason=problem, now=self._now())
        self._ends.remove((job, problem, is_final))

    def _beat(self) -> None:
        if busy := self._list_busy():
            renew_heartbeats([job.lease for job in busy], now=self._now())

    def _end_what_is_not_ours(self) -> None:
        if busy := self._list_busy():
            taken = list_taken_away(busy)
            for job, child in busy.items():
                if job.pk in taken:
                    child.end()

    def _list_busy(self) -> dict[Job, Child]:
        return {child.job: child for child in self._children.values() if child.job}

    def _give_all_back(self) -> None:
        for child in self._children.values():
            child.end()
        for child in self._children.values():
            child.wait()
            if child.job:
                with suppress(DatabaseError):
                    give_back(child.job, reason="its worker was stopped", now=self._now())
        self._children.clear()


def _explain(code: int) -> str:
    if code >= 0:
        return f"the process running it exited with code {code}"
    return f"the process running it was killed by signal {-code} ({signal.Signals(-code).name})"
