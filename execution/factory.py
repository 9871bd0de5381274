"""The factory of executors, and the setting that chooses the kind."""

import multiprocessing
import os
import pickle
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, Self, cast

from execution.errors import UnknownExecutor
from execution.pausing import pause_workers_at_ctrl_z
from execution.processes import begin_worker, blocking_ctrl_c
from execution.shared import InFile, Present, Shared

SETTING: Final = "ACCORDANCE_EXECUTOR"
"""The environment variable that chooses the kind of executor."""


class InlineExecutor(Executor):
    """Run each call immediately in the current process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def share(self, value: Any) -> Shared:
        return Present(value)


class ProcessExecutor(ProcessPoolExecutor):
    """Run calls in processes of this machine, which receive shared values by a file.

    Programs that the calls start end with their worker process, and that ends with this process. Inside the context,
    Ctrl-Z stops the workers with this process.
    """

    def __init__(self, workers: int) -> None:
        # Spawned, not forked: a fork would share the database connection and copy held locks.
        super().__init__(workers, mp_context=multiprocessing.get_context("spawn"), initializer=begin_worker)
        self._folder: TemporaryDirectory[str] | None = None

    def share(self, value: Any) -> Shared:
        """Return the form in which calls receive a value, which may take a hundred megabytes."""
        self._folder = self._folder or TemporaryDirectory()
        path = Path(self._folder.name) / secrets.token_hex(8)
        path.write_bytes(pickle.dumps(value))
        return InFile(path)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with blocking_ctrl_c():
            return super().submit(fn, *args, **kwargs)

    def __enter__(self) -> Self:
        self._stop_pausing = pause_workers_at_ctrl_z()
        return super().__enter__()

    def __exit__(self, exc_type: type[BaseException] | None, *rest: Any) -> None:
        # After Ctrl-C, or when a generator is closed, nobody waits for results. Ctrl-C does not reach the workers, and
        # they would first complete the calls that they have, for minutes.
        try:
            if exc_type is not None and not issubclass(exc_type, Exception):
                self._stop_workers()
            super().__exit__(exc_type, *rest)
        finally:
            self._stop_pausing()

    def _stop_workers(self) -> None:
        # `terminate_workers` is new in Python 3.14.
        thread: Any = self._executor_manager_thread
        if thread is None:
            # No worker has been started, or the pool was shut down inside.
            return
        processes, results = list(self._processes.values()), cast("Any", self._result_queue)
        # First, so that the thread of the pool forgets cancelled calls before it finds its workers gone: it cannot give
        # these an exception.
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            # Not SIGTERM, which a plugin may have told its process to ignore.
            process.kill()
        for process in processes:
            connection.wait([process.sentinel])
        # The thread may wait for the rest of a result that a worker was writing, and reads its end only when no process
        # can write any more: this one, too.
        results._writer.close()
        thread.join()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait, cancel_futures=cancel_futures)
        if self._folder:
            self._folder.cleanup()


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """What an executor is for.

    Attributes:
        workers: The number of concurrent calls, for kinds that start processes.
        device: Where calls compute; on a cluster, calls for any device but the CPU run on workers with a GPU.
        files: Single-file modules that calls import; on a cluster each worker must have the same ones.
    """

    workers: int = 1
    device: str = "cpu"
    files: Sequence[Path] = ()


def _make_inline(options: ExecutorOptions) -> Executor:  # noqa: ARG001 - called as those that have options
    return InlineExecutor()


def _make_processes(options: ExecutorOptions) -> Executor:
    return ProcessExecutor(options.workers)


def _make_dask(options: ExecutorOptions) -> Executor:
    # Needs packages that are installed only with the extra `cluster`.
    from execution.cluster.executor import open_executor

    return open_executor(device=options.device, files=tuple(options.files))


EXECUTORS: Final[Mapping[str, Callable[[ExecutorOptions], Executor]]] = MappingProxyType(
    {"inline": _make_inline, "processes": _make_processes, "dask": _make_dask}
)
"""Factories of executors by kind."""


def choose_kind(environ: Mapping[str, str] = os.environ) -> str:
    """Return the kind of executor that the environment variable `ACCORDANCE_EXECUTOR` chooses; by default processes.

    Raises:
        UnknownExecutor: There is no such kind.
    """
    kind = environ.get(SETTING, "") or "processes"
    if kind not in EXECUTORS:
        raise UnknownExecutor(f"{SETTING} must be one of {', '.join(EXECUTORS)}, got {kind!r}")
    return kind


def make_executor(kind: str, *, workers: int = 1, device: str = "cpu", files: Sequence[Path] = ()) -> Executor:
    """Return a new executor, which the caller must shut down.

    Args:
        kind: A key of `EXECUTORS`.
        workers, device, files: See `ExecutorOptions`.

    Raises:
        UnknownExecutor: The kind is unknown.
        ClusterFailed: The cluster cannot be reached, or has workers that differ from this process.
    """
    if kind not in EXECUTORS:
        raise UnknownExecutor(f"`kind` of executor must be one of {', '.join(EXECUTORS)}, got {kind!r}")
    return EXECUTORS[kind](ExecutorOptions(workers=workers, device=device, files=files))


def count_places(executor: Executor, *, workers: int) -> int:
    """Return how many calls to have outstanding: enough that no worker waits, and few enough to fit into memory."""
    return 2 * max(1, getattr(executor, "n_workers", workers))
