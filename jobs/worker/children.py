"""Child processes that run jobs: each is forked, runs one or several jobs of a lane, and ends with its parent."""

import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from typing import Final

from django.db import connections

from execution.process_groups import guard_own_group
from jobs.models import Job
from jobs.registry import Kind, find_kind
from jobs.worker.lock_timeouts import wait_as_usual
from jobs.worker.running import run_job
from jobs.worker.system import limit_memory, make_end_with, measure_memory

IDLE_SECONDS: Final = 600.0
"""An idle process exits after this time, which frees its memory."""

MOST_KEPT_MIB: Final = 2048
"""A process that uses more memory than this exits instead of waiting for another job."""

_NICER: Final = 5
_SLACK_MIB: Final = 64
_LOG: Final = logging.getLogger(__name__)


class Child:
    """A process that runs the jobs of one lane.

    Attributes:
        job: The current job; None while the process waits for the next one.
        problem: Why it was killed; empty if it was not killed, or if the reason need not be reported.
    """

    def __init__(self, job: Job, *, now: Callable[[], datetime]) -> None:
        self.job: Job | None = job
        self.kind: Kind | None = find_kind(job.kind)
        self.problem = ""
        self._began = time.monotonic()
        most = self.kind.memory() if self.kind else 0
        ours, theirs = socket.socketpair()
        # Parent and child must not share a database connection.
        connections.close_all()
        end_with_parent = make_end_with(os.getpid(), signal.SIGKILL)
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            _be_child(job, told=theirs, memory=most, now=now, end_with_parent=end_with_parent)
        theirs.close()
        ours.setblocking(False)
        self._told = ours
        self._most_memory = most and measure_memory(os.getpid()) + most + _SLACK_MIB
        with suppress(ProcessLookupError, PermissionError):
            # Also set by the child; the parent may have to kill the group before the child has run.
            os.setpgid(self.pid, self.pid)

    def give(self, job: Job) -> bool:
        """Hand the process another job of its lane; return whether it could be sent."""
        try:
            self._told.sendall(b"%d %s\n" % (job.pk, job.lease.encode()))
        except OSError:
            return False
        self.job, self.kind, self._began = job, find_kind(job.kind), time.monotonic()
        return True

    def find_end(self) -> int | None:
        """Return the exit code if the process has ended, after killing its process group; otherwise None."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return self._clean(status) if pid else None

    def wait(self) -> None:
        """Wait until the process has ended."""
        self._clean(os.waitpid(self.pid, 0)[1])

    def has_done(self) -> bool:
        """Whether the process has reported the end of its job and waits for another."""
        try:
            return bool(self._told.recv(1))
        except OSError:
            return False

    def rest(self) -> None:
        """Mark the process as idle."""
        self.job, self._began = None, time.monotonic()

    def end(self, problem: str = "") -> None:
        """Kill the process and its process group; the first reason given is kept."""
        self.problem = self.problem or problem
        for kill, pid in ((os.killpg, self.pid), (os.kill, self.pid)):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)

    def end_if_too_much(self) -> None:
        """Kill the process if it exceeds its time or memory, or has been idle for too long."""
        seconds = time.monotonic() - self._began
        if self.job is None:
            if seconds > IDLE_SECONDS:
                self.end()
        elif self.kind and seconds > self.kind.seconds:
            self.end(f"it exceeded its time limit of {self.kind.seconds:g} seconds and was stopped")
        elif self._most_memory and measure_memory(self.pid) > self._most_memory:
            most = self.kind.memory() if self.kind else 0
            self.end(f"it exceeded its memory limit ({most:,} MiB) and was stopped")

    def _clean(self, status: int) -> int:
        self._told.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(status)


def _be_child(
    job: Job,
    *,
    told: socket.socket,
    memory: int,
    now: Callable[[], datetime],
    end_with_parent: Callable[[], None] | None,
) -> None:
    """Run as the child process of a job; does not return."""
    code = 1
    try:
        os.setpgid(0, 0)
        if end_with_parent:
            end_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        guard_own_group()
        wait_as_usual()
        # Lower the priority, so that requests for pages come first.
        os.nice(_NICER)
        run_job(job, now=now, lift_limits=limit_memory(memory))
        kind = find_kind(job.kind)
        if kind and kind.stays:
            _go_on(told, now=now)
        code = 0
    except BaseException:
        _LOG.exception("a job process failed")
    finally:
        # Skip the exit handlers of the parent.
        os._exit(code)


def _go_on(told: socket.socket, *, now: Callable[[], datetime]) -> None:
    """Report the end of the job and run the next one, repeatedly."""
    with told.makefile("rb") as lines:
        while measure_memory(os.getpid()) <= MOST_KEPT_MIB:
            connections.close_all()
            told.sendall(b".")
            line = lines.readline()
            if not line:
                return
            pk, lease = line.decode().split()
            job = Job.objects.filter(pk=int(pk), lease=lease).first()
            if job is not None:
                run_job(job, now=now)
