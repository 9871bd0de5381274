"""Keeps the server and the workers of the background alive together, and ends them together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final

from jobs.system import make_end_with

_LOOK_SECONDS: Final = 0.5
_REST_SECONDS: Final = 5.0
"""A worker that ends sooner than this after its start is started again only then: it may end every time."""
_GRACE_SECONDS: Final = 40.0
"""For the server, which lets requests that it has begun with end (gunicorn takes 30 s)."""


class Supervisor:
    """The server and its workers, as children of this process.

    When the server ends, for whatever reason, all end, and with its exit code. A worker that ends is started again.
    Where the system can tell children of the death of their parent (Linux), they end with this process even if it is
    killed.
    """

    def __init__(self, *, server: Sequence[str], worker: Sequence[str], n_workers: int) -> None:
        self._worker_command = worker
        self._signal: int | None = None
        self._parent = os.getpid()
        self._server = self._start(server, ended_by=signal.SIGTERM)
        self._workers = [self._start_worker() for _ in range(n_workers)]
        self._started = [time.monotonic()] * n_workers

    def run(self) -> int:
        """Return the server's exit code, once everything has ended."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._take_signal)
        try:
            while self._server.poll() is None and self._signal is None:
                self._restart_workers()
                time.sleep(_LOOK_SECONDS)
        finally:
            self._end()
        # A server that was asked to end has ended well.
        return 0 if self._signal is not None else self._server.returncode

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            # The server's way to load the program anew; its sockets stay open.
            self._server.send_signal(signal.SIGHUP)
        else:
            self._signal = number

    def _restart_workers(self) -> None:
        for place, process in enumerate(self._workers):
            rested = time.monotonic() - self._started[place] > _REST_SECONDS
            if process.poll() is not None and rested:
                sys.stderr.write(f"A worker of the background ended (exit code {process.returncode}); starting anew.\n")
                self._workers[place] = self._start_worker()
                self._started[place] = time.monotonic()

    def _end(self) -> None:
        for process in (self._server, *self._workers):
            if process.poll() is None:
                process.terminate()
        _wait(self._server, _GRACE_SECONDS)
        # What a worker is at is taken up again by the next one: nothing is lost if it does not wait for the end of it.
        for process in self._workers:
            _wait(process, 1.0)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        # It ends at once and gives back what it is at.
        return self._start(self._worker_command, ended_by=signal.SIGTERM)

    def _start(self, command: Sequence[str], *, ended_by: signal.Signals) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, preexec_fn=make_end_with(self._parent, ended_by))  # noqa: S603


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
