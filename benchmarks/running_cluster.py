"""Real Dask clusters for benchmarks and tests: a scheduler and workers as processes of their own.

Each part has its own `Place`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Final

from benchmarks.places import Place
from tests.postgres import find_free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RESTART_SECONDS: Final = 2.0
"""`RestartSec` of the services in `deploy/`."""
MEMORY: Final[Mapping[str, str]] = MappingProxyType(
    {"MALLOC_TRIM_THRESHOLD_": str(2**28), "MALLOC_MMAP_THRESHOLD_": str(2**25)}
)
"""That workers keep freed memory for later, as processes without a nanny do; as in the services in `deploy/`."""
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_LOOK_SECONDS: Final = 0.05
_START_SECONDS: Final = 60.0


@dataclass
class Part:
    """A process in a session of its own, which is started again if it ends and `is_kept`."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    is_kept: bool = False
    process: subprocess.Popen[bytes] = field(init=False)
    _is_stopping: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._start()
        if self.is_kept:
            threading.Thread(target=self._keep, daemon=True).start()

    @property
    def pid(self) -> int:
        return self.process.pid

    def kill(self) -> None:
        """End the process and all that it started."""
        # The whole group: a nanny that is killed leaves its worker behind.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End the process for good."""
        with self._lock:
            self._is_stopping = True
        self.kill()

    def _start(self) -> None:
        with self.log.open("ab") as log:
            self.process = self._open(log)

    def _open(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self.command, env=self.environment, cwd=self.folder, stdout=log, stderr=log, start_new_session=True
        )

    def _keep(self) -> None:
        while True:
            self.process.wait()
            # What it leaves behind ends with it, as in a service.
            self.kill()
            time.sleep(RESTART_SECONDS)
            with self._lock:
                if self._is_stopping:
                    return
                self._start()


class RunningCluster:
    """A scheduler and workers, each under a nanny that starts it again, as `dask worker` does by default.

    Args:
        folder: Where logs and temporary files are written.
        place: Where the scheduler runs.
        is_kept: Whether parts that end are started again after `RESTART_SECONDS`, as by the services in `deploy/`.
    """

    def __init__(self, folder: Path, *, place: Place | None = None, is_kept: bool = False) -> None:
        self.place = place or Place()
        self.folder = folder
        self.is_kept = is_kept
        self.port = find_free_port()
        self.address = f"tcp://{self.place.host}:{self.port}"
        self.scheduler: Part | None = None
        self.workers: list[Part] = []
        self._n_logs = 0

    def start_scheduler(self) -> None:
        """Start the scheduler, anew at the same address after `kill_scheduler`."""
        options = ("--host", self.place.host, "--port", str(self.port))
        self.scheduler = self._start(self.place, "scheduler", *options)

    def start_worker(self, name: str, *options: str, place: Place | None = None, **variables: str) -> None:
        """Start a worker with further options and environment variables."""
        place = place or Place()
        arguments = [self.address, "--nthreads", "1", "--name", name, "--host", place.host, *options]
        self.workers.append(self._start(place, "worker", *arguments, **variables))

    def wait_for_workers(self, n_workers: int) -> None:
        """Wait until this number of workers has joined.

        Raises:
            TimeoutError: They have not within a minute.
        """
        from distributed import Client

        with Client(self.address, timeout=_START_SECONDS, set_as_default=False) as client:
            client.wait_for_workers(n_workers, timeout=_START_SECONDS)

    def kill_scheduler(self) -> None:
        """End the scheduler; a cluster that is kept starts it again."""
        if self.scheduler is not None:
            self.scheduler.kill()

    def find_worker_process(self, number: int) -> int:
        """Return the id of the process that computes: the newest child of the nanny that is no resource tracker."""
        nanny = self.workers[number].pid
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            for task in Path(f"/proc/{nanny}/task").glob("*/children"):
                for child in reversed(task.read_text().split()):
                    if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                        return int(child)
            time.sleep(_LOOK_SECONDS)
        raise AssertionError("the nanny has no worker process")

    def kill_worker_process(self, number: int) -> None:
        """End the process that computes, as the kernel does when memory runs out; its nanny starts another."""
        os.kill(self.find_worker_process(number), signal.SIGKILL)

    def stop(self) -> None:
        """End all parts."""
        for part in (*self.workers, self.scheduler):
            if part is not None:
                part.stop()

    def _start(self, place: Place, kind: str, *arguments: str, **variables: str) -> Part:
        environment = {
            **os.environ,
            "PYTHONPATH": place.path,
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",
            "DASK_TEMPORARY_DIRECTORY": str(self.folder),
            **MEMORY,
            **variables,
        }
        inside = ["ip", "netns", "exec", place.namespace] if place.namespace else []
        command = [*inside, place.python, "-m", "dask", kind, *arguments, "--no-dashboard"]
        self._n_logs += 1
        log = self.folder / f"{kind}-{self._n_logs}.log"
        return Part(command, environment, self.folder, log, is_kept=self.is_kept)


@contextmanager
def run_cluster(
    folder: Path,
    *,
    n_workers: int = 2,
    places: Sequence[Place] = (),
    options: Sequence[str] = (),
    variables: Mapping[str, str] = NOTHING,
    is_kept: bool = False,
) -> Iterator[RunningCluster]:
    """Run a scheduler and this number of workers, and stop all of them at the end.

    Args:
        folder: Where logs and temporary files are written.
        n_workers: The number of workers.
        places: Where the scheduler and each worker run; by default all in this environment and on this machine.
        options: Further options of each worker.
        variables: Further environment variables of each worker.
        is_kept: Whether parts that end are started again.
    """
    scheduler, *others = places or [Place()] * (1 + n_workers)
    cluster = RunningCluster(folder, place=scheduler, is_kept=is_kept)
    try:
        cluster.start_scheduler()
        for number, place in enumerate(others[:n_workers]):
            cluster.start_worker(f"worker-{number}", *options, place=place, **variables)
        yield cluster
    finally:
        cluster.stop()
