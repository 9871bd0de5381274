"""An executor on a Dask cluster that says whether a call failed, was lost, or ended the workers that ran it."""

import pickle
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import ref

from execution.cluster.connection import GPU, Connection, connect, read_settings
from execution.cluster.sameness import require_same
from execution.errors import CallsLost, ClusterFailed, WorkersKilled
from execution.shared import Pickled

_one_at_a_time: Final = threading.Lock()
"""Metrics need not be safe for threads, so that a worker process runs one call at a time, whatever its threads."""
_NO_WARNING: Final = "1TB"


def open_executor(*, device: str = "cpu", files: tuple[Path, ...] = ()) -> "DaskExecutor":
    """Return an executor on the cluster of the settings, whose workers were checked.

    Raises:
        ClusterFailed: The cluster cannot be reached, has no workers for the device, or a worker differs from this
            process.
    """
    connection = connect(read_settings())
    try:
        workers = connection.wait_for_workers(device=device)
        expected = connection.check_workers(workers, files=files)
    except OSError as error:
        raise ClusterFailed(f"the cluster at {connection.name} cannot be used: {error}") from error
    return DaskExecutor(connection, expected, device=device, files=files, n_workers=len(workers))


class DaskExecutor(Executor):
    """Runs calls on the workers of a cluster. `submit` may be called by one thread at a time.

    A future ends with `CallsLost` if the connection was lost; `recover` then waits for the cluster. It ends with
    `WorkersKilled` if more workers ended while they ran the call than the scheduler allows.
    """

    is_remote = True

    def __init__(
        self, connection: Connection, expected: Mapping[str, str], *, device: str, files: Sequence[Path], n_workers: int
    ) -> None:
        self.n_workers = n_workers
        self._connection = connection
        self._expected = dict(expected)
        self._device = device
        self._files = tuple(files)
        self._inner = self._open()

    def _open(self) -> Any:
        resources = None if self._device == "cpu" else {GPU: 1}
        return self._connection.client.get_executor(pure=False, resources=resources)

    def share(self, value: Any) -> Any:
        """Send a value to the cluster once; return what `submit` takes in its place.

        It is the result of a call, not scattered data, which would be lost with the workers that hold it: workers fetch
        it from each other once, and the scheduler can send it again.
        """
        import dask

        content = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
        quiet = {"distributed.admin.large-graph-warning-threshold": _NO_WARNING}
        with self._telling_lost(), dask.config.set(quiet):
            return self._connection.client.submit(_hold, Pickled(content), pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        outer: Future[Any] = Future()
        with self._telling_lost():
            inner = self._inner.submit(_run_here, self._expected, self._files, fn, *args, **kwargs)
        # Weakly: in a cycle, results that have arrived stay on their worker, and are computed again if it ends.
        outer.add_done_callback(partial(_cancel, ref(inner)))
        inner.add_done_callback(partial(_pass_on, outer))
        return outer

    def require_workers(self) -> None:
        """Wait for workers, if there are none at present.

        Raises:
            ClusterFailed: There are none for as long as the settings allow.
        """
        self._connection.wait_for_workers(device=self._device)

    def recover(self) -> None:
        """Wait until the cluster can take calls again.

        Raises:
            ClusterFailed: It cannot for as long as the settings allow, or it has new workers that differ.
            CallsLost: It was lost once more.
        """
        workers = self._connection.wait_for_workers(device=self._device)
        with self._telling_lost():
            self._connection.check_workers(workers, files=self._files)
        self.n_workers = len(workers)
        self._inner = self._open()

    @contextmanager
    def _telling_lost(self) -> Iterator[None]:
        """Raise `CallsLost` for an error of a client that has no connection."""
        try:
            yield
        except OSError as error:
            raise CallsLost(str(error)) from error
        except ClusterFailed:
            raise
        except Exception as error:
            if self._connection.client.status == "running":
                raise
            raise CallsLost(str(error)) from error

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        # The connection is kept: other work of this process will use it.
        if self._connection.client.status == "running":
            self._inner.shutdown(wait=wait and not cancel_futures)


def _run_here(expected: Mapping[str, str], files: Sequence[Path], fn: Callable[..., Any], *args: Any) -> Any:
    """Run a call in this worker, which may have joined the cluster after its workers were checked."""
    with _one_at_a_time:
        require_same(expected, worker=_name_worker(), files=files)
        try:
            return fn(*args)
        except SystemExit as error:
            # It would end the thread of the worker, and the call would never finish.
            raise RuntimeError(f"the call asked to exit: {error}") from error


def _hold(value: Pickled) -> Pickled:
    return value


def _name_worker() -> str:
    from distributed import get_worker

    worker = get_worker()
    return f"{worker.name} at {worker.address}"


def _cancel(link: "ref[Future[Any]]", outer: Future[Any]) -> None:
    inner = link()
    if inner is not None and outer.cancelled():
        inner.cancel()


def _pass_on(outer: Future[Any], inner: Future[Any]) -> None:
    if not outer.set_running_or_notify_cancel():
        return
    if inner.cancelled():
        outer.set_exception(CallsLost("the connection to the scheduler was lost"))
        return
    error = inner.exception()
    if error is None:
        outer.set_result(inner.result())
    else:
        outer.set_exception(_translate(error))


def _translate(error: BaseException) -> BaseException:
    from distributed import CancelledError as DaskCancelled
    from distributed.scheduler import KilledWorker

    if isinstance(error, KilledWorker):
        return WorkersKilled(error.allowed_failures + 1, error.last_worker.address)
    if isinstance(error, CancelledError | DaskCancelled):
        return CallsLost(str(error))
    return error
