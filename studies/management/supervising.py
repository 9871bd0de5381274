"""Runs the server and the background workers together, and stops them together."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType
from typing import Final

from jobs.worker.system import make_end_with

_LOOK_SECONDS: Final = 0.5
_REST_SECONDS: Final = 5.0
"""The minimum time between starts of a worker, in case it always fails at once."""
_GRACE_SECONDS: Final = 40.0
"""The time for the server to finish requests after a signal (gunicorn takes 30 s)."""


class Supervisor:
    """The server and its workers, as child processes.

    When the server ends for any reason, all are stopped, with its exit code. A worker that ends is restarted. Where the
    system can notify children of the death of their parent (Linux), they end with this process even if it is killed.
    """

    def __init__(self, *, server: Sequence[str], worker: Sequence[str], n_workers: int) -> None:
        self._worker_command = worker
        self._signal: int | None = None
        self._parent = os.getpid()
        self._server = self._start(server, ended_by=signal.SIGTERM)
        self._workers = [self._start_worker() for _ in range(n_workers)]
        self._started = [time.monotonic()] * n_workers

    def run(self) -> int:
        """Run until everything has ended; return the server's exit code."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._take_signal)
        try:
            while self._server.poll() is None and self._signal is None:
                self._restart_workers()
                time.sleep(_LOOK_SECONDS)
        finally:
            self._end()
        # A server stopped by a signal has not failed.
        return 0 if self._signal is not None else self._server.returncode

    def _take_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            # gunicorn reloads the program on this signal; its sockets stay open.
            self._server.send_signal(signal.SIGHUP)
        else:
            self._signal = number

    def _restart_workers(self) -> None:
        for place, process in enumerate(self._workers):
            rested = time.monotonic() - self._started[place] > _REST_SECONDS
            if process.poll() is not None and rested:
                sys.stderr.write(f"A background worker exited (code {process.returncode}); restarting it.\n")
                self._workers[place] = self._start_worker()
                self._started[place] = time.monotonic()

    def _end(self) -> None:
        for process in (self._server, *self._workers):
            if process.poll() is None:
                process.terminate()
        _wait(self._server, _GRACE_SECONDS)
        # Do not wait for jobs to finish, since interrupted ones are resumed by the next worker.
        for process in self._workers:
            _wait(process, 1.0)

    def _start_worker(self) -> subprocess.Popen[bytes]:
        # On this signal it ends at once and returns its job to the queue.
        return self._start(self._worker_command, ended_by=signal.SIGTERM)

    def _start(self, command: Sequence[str], *, ended_by: signal.Signals) -> subprocess.Popen[bytes]:
        return subprocess.Popen(command, preexec_fn=make_end_with(self._parent, ended_by))  # noqa: S603


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
