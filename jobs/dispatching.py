"""Runs jobs in child processes, one of each lane at a time, and ends those that take too long or too much."""

import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import DatabaseError, connections

from jobs.claiming import claim_job, give_back, lose_dead_jobs, lose_job, renew_heartbeats
from jobs.ending import end_job
from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import Kind, find_kind, list_lanes
from jobs.requesting import delete_old_jobs
from jobs.running import run_job
from jobs.system import limit_memory, make_end_with, measure_memory

LOOK_SECONDS: Final = 0.2
BEAT_SECONDS: Final = 2.0
CANCEL_SECONDS: Final = 0.5
REVIVE_SECONDS: Final = 10.0
CLEAN_SECONDS: Final = 3600.0
_NICER: Final = 5
_SLACK_MIB: Final = 64
_LOG: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class _Child:
    """A process that runs a job; times are of the monotonic clock."""

    job: Job
    kind: Kind | None
    pid: int
    began: float
    memory: int
    problem: str = ""

    def end(self, problem: str) -> None:
        """Kill it and all that it started; the first reason counts."""
        self.problem = self.problem or problem
        for kill, pid in ((os.killpg, self.pid), (os.kill, self.pid)):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)


class Dispatcher:
    """Claims jobs and has a process of its own do each, until it is told to stop.

    It renews the heartbeats of what it runs, so a job whose process is busy is not taken for dead. Its children end
    with it, however it ends. It must be the only thread of its process, since it forks.
    """

    def __init__(self, *, now: Callable[[], datetime], lanes: tuple[str, ...] | None = None) -> None:
        self._now = now
        self._lanes = lanes or list_lanes()
        self._children: dict[str, _Child] = {}
        self._due: dict[str, float] = {}
        self._is_told = False

    def stop(self, *_: Any) -> None:
        """Let `run` end soon: what is being run is given back. A handler of signals too."""
        self._is_told = True

    def run(self, *, batch: bool = False) -> None:
        """Work until `stop` is called; with `batch` until nothing waits and nothing runs."""
        try:
            while not self._is_told:
                try:
                    is_idle = self._turn()
                except DatabaseError:
                    # A database that is away for a while is not the end of it.
                    _LOG.exception("the worker could not reach its jobs")
                    connections.close_all()
                    is_idle = False
                if batch and is_idle:
                    return
                time.sleep(LOOK_SECONDS)
        finally:
            self._give_all_back()

    def _turn(self) -> bool:
        """Look after the children and begin what can be begun; return whether there was nothing at all to do."""
        self._reap()
        self._end_what_takes_too_much()
        if self._is_due("cancel", CANCEL_SECONDS):
            self._end_what_is_not_ours()
        if self._is_due("revive", REVIVE_SECONDS):
            lose_dead_jobs(now=self._now())
        if self._is_due("clean", CLEAN_SECONDS):
            delete_old_jobs(now=self._now())
        for lane in self._lanes:
            if lane not in self._children and (job := claim_job(lane, now=self._now())) is not None:
                self._children[lane] = self._start(job)
        return not self._children

    def _is_due(self, what: str, seconds: float) -> bool:
        if time.monotonic() < self._due.get(what, 0.0):
            return False
        self._due[what] = time.monotonic() + seconds
        return True

    def _start(self, job: Job) -> _Child:
        kind = find_kind(job.kind)
        memory = kind.memory() if kind else 0
        # A connection that two processes hold breaks for both.
        connections.close_all()
        end_with_parent = make_end_with(os.getpid(), signal.SIGKILL)
        pid = os.fork()
        if pid == 0:
            _run_child(job, memory=memory, now=self._now, end_with_parent=end_with_parent)
        with suppress(ProcessLookupError, PermissionError):
            # Here too: it may have to be killed before it has come to it.
            os.setpgid(pid, pid)
        return _Child(job, kind, pid, time.monotonic(), memory=memory and measure_memory(os.getpid()) + memory)

    def _reap(self) -> None:
        for lane, child in list(self._children.items()):
            pid, status = os.waitpid(child.pid, os.WNOHANG)
            if not pid:
                continue
            del self._children[lane]
            # What it left behind, if anything.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            held = Job.objects.filter(pk=child.job.pk, state=JobState.RUNNING, lease=child.job.lease)
            if child.problem:
                end_job(held, JobState.FAILED, problem=child.problem, now=self._now())
            else:
                lose_job(child.job, reason=_explain(os.waitstatus_to_exitcode(status)), now=self._now())

    def _end_what_takes_too_much(self) -> None:
        for child in self._children.values():
            if child.kind and time.monotonic() - child.began > child.kind.seconds:
                child.end(f"it took longer than the {child.kind.seconds:g} seconds that it may take, and was ended")
            elif child.memory and measure_memory(child.pid) > child.memory + _SLACK_MIB:
                most = child.kind.memory() if child.kind else 0
                child.end(f"it needs more memory than it may take ({most:,} MiB), and was ended")

    def _end_what_is_not_ours(self) -> None:
        if not self._children:
            return
        leases = {child.job.lease: child for child in self._children.values()}
        if self._is_due("beat", BEAT_SECONDS):
            ours = renew_heartbeats(leases, now=self._now())
        else:
            ours = set(Job.objects.filter(state=JobState.RUNNING, lease__in=leases).values_list("lease", flat=True))
        for lease in leases.keys() - ours:
            leases[lease].end("")

    def _give_all_back(self) -> None:
        for child in self._children.values():
            child.end("")
        for child in self._children.values():
            os.waitpid(child.pid, 0)
            with suppress(DatabaseError):
                give_back(child.job, reason="its worker was told to stop", now=self._now())
        self._children.clear()


def _run_child(
    job: Job, *, memory: int, now: Callable[[], datetime], end_with_parent: Callable[[], None] | None
) -> None:
    """Be the process of a job; this call does not come back."""
    code = 1
    try:
        os.setpgid(0, 0)
        if end_with_parent:
            end_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        # Whoever waits for a page goes first.
        os.nice(_NICER)
        run_job(job, now=now, lift_limits=limit_memory(memory))
        code = 0
    except BaseException:
        _LOG.exception("job %s could not be run", job.pk)
    finally:
        # Without what the parent would do at its own exit.
        os._exit(code)


def _explain(code: int) -> str:
    if code >= 0:
        return f"the process that ran it ended with exit code {code}"
    return f"the process that ran it was ended by signal {-code} ({signal.Signals(-code).name})"
