"""The processes that run jobs: each is forked, does one job or goes on to the next, and ends with its parent."""

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

from jobs.models import Job
from jobs.patience import wait_as_usual
from jobs.registry import Kind, find_kind
from jobs.running import run_job
from jobs.system import limit_memory, make_end_with, measure_memory

IDLE_SECONDS: Final = 600.0
"""A process that stays ends after so long without a job, and gives its memory back."""

MOST_KEPT_MIB: Final = 2048
"""One that holds more than this does not go on."""

_NICER: Final = 5
_SLACK_MIB: Final = 64
_LOG: Final = logging.getLogger(__name__)


class Child:
    """A process that runs the jobs of one lane.

    Attributes:
        job: What it is at; None while it waits for the next one.
        problem: Why it was ended; empty if it was not, or if nobody is to be told.
    """

    def __init__(self, job: Job, *, now: Callable[[], datetime]) -> None:
        self.job: Job | None = job
        self.kind: Kind | None = find_kind(job.kind)
        self.problem = ""
        self._began = time.monotonic()
        most = self.kind.memory() if self.kind else 0
        ours, theirs = socket.socketpair()
        # A connection that two processes hold breaks for both.
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
            # Here too: it may have to be killed before it has come to it.
            os.setpgid(self.pid, self.pid)

    def give(self, job: Job) -> bool:
        """Have it go on to another job of its lane; return whether it can."""
        try:
            self._told.sendall(b"%d %s\n" % (job.pk, job.lease.encode()))
        except OSError:
            return False
        self.job, self.kind, self._began = job, find_kind(job.kind), time.monotonic()
        return True

    def find_end(self) -> int | None:
        """Return the exit code if the process has ended, and then end all that it left behind."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return self._clean(status) if pid else None

    def wait(self) -> None:
        """Wait until it has ended."""
        self._clean(os.waitpid(self.pid, 0)[1])

    def has_done(self) -> bool:
        """Whether it says that its job is over, and that it waits for the next one."""
        try:
            return bool(self._told.recv(1))
        except OSError:
            return False

    def rest(self) -> None:
        """Note that it waits."""
        self.job, self._began = None, time.monotonic()

    def end(self, problem: str = "") -> None:
        """Kill it and all that it started; the first reason counts."""
        self.problem = self.problem or problem
        for kill, pid in ((os.killpg, self.pid), (os.kill, self.pid)):
            with suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)

    def end_if_too_much(self) -> None:
        """End it if it takes more time or memory than it may, or waits for too long."""
        seconds = time.monotonic() - self._began
        if self.job is None:
            if seconds > IDLE_SECONDS:
                self.end()
        elif self.kind and seconds > self.kind.seconds:
            self.end(f"it took longer than the {self.kind.seconds:g} seconds that it may take, and was ended")
        elif self._most_memory and measure_memory(self.pid) > self._most_memory:
            most = self.kind.memory() if self.kind else 0
            self.end(f"it needs more memory than it may take ({most:,} MiB), and was ended")

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
    """Be the process of a job; this call does not come back."""
    code = 1
    try:
        os.setpgid(0, 0)
        if end_with_parent:
            end_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        wait_as_usual()
        # Whoever waits for a page goes first.
        os.nice(_NICER)
        run_job(job, now=now, lift_limits=limit_memory(memory))
        kind = find_kind(job.kind)
        if kind and kind.stays:
            _go_on(told, now=now)
        code = 0
    except BaseException:
        _LOG.exception("a process of jobs broke")
    finally:
        # Without what the parent would do at its own exit.
        os._exit(code)


def _go_on(told: socket.socket, *, now: Callable[[], datetime]) -> None:
    """Say that the job is over, and run the next one, again and again."""
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
