"""Create executors, and submit chunks to them."""

import multiprocessing
import pickle
import secrets
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from metrics_plugins.api import Metric
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, score_chunk


class InlineExecutor(Executor):
    """Run each call immediately in the current process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


Start = Callable[[], None]


def _make_inline(workers: int, start: Start) -> Executor:  # noqa: ARG001 - called as those that have several
    return InlineExecutor()


def _make_processes(workers: int, start: Start) -> Executor:
    # Spawned, not forked: a fork would share the database connection and copy held locks.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=start)


EXECUTORS: Final[Mapping[str, Callable[[int, Start], Executor]]] = MappingProxyType(
    {"inline": _make_inline, "processes": _make_processes}
)
"""Factories of executors by kind; another kind, such as a cluster, is one more entry."""


def do_nothing() -> None:
    """Do nothing; the default initializer of worker processes."""


def make_executor(kind: str, *, workers: int = 1, start: Start = do_nothing) -> Executor:
    """Return a new executor, which the caller must shut down.

    Args:
        kind: A key of `EXECUTORS`.
        workers: The number of concurrent calls, for kinds that support several.
        start: The initializer of each worker process.

    Raises:
        ValueError: The kind is unknown.
    """
    if kind not in EXECUTORS:
        raise ValueError(f"`kind` of executor must be one of {', '.join(EXECUTORS)}, got {kind!r}")
    return EXECUTORS[kind](workers, start)


class SharedMetrics(Mapping[str, Metric]):
    """Metrics that each worker process unpickles once and uses for all chunks.

    A metric is unpickled when it first scores, so that a failure to unpickle is reported like a failure to score.
    """

    def __init__(self, metrics: Mapping[str, Metric], *, folder: Path | None = None) -> None:
        self._metrics = dict(metrics)
        self._path = folder / secrets.token_hex(8) if folder else None
        self._pickled: dict[str, bytes] = {}

    def __getitem__(self, name: str) -> Metric:
        if name not in self._metrics and name in self._pickled:
            self._metrics[name] = pickle.loads(self._pickled[name])  # noqa: S301 - from the process that asked
            del self._pickled[name]
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._metrics, **self._pickled})

    def __len__(self) -> int:
        return len({**self._metrics, **self._pickled})

    def __reduce__(self) -> tuple[Callable[..., "SharedMetrics"], tuple[Path]]:
        # Metrics may take a hundred megabytes. Each worker reads them once from a file instead of with every chunk.
        if self._path is None:
            raise ValueError("`folder` must be where the metrics are written for other processes, got None")
        if not self._path.exists():
            self._path.write_bytes(pickle.dumps({name: pickle.dumps(metric) for name, metric in self._metrics.items()}))
        return _receive, (self._path,)


_received: Final[dict[Path, SharedMetrics]] = {}
"""The metrics most recently received by this worker process, by their file."""


def _receive(path: Path) -> SharedMetrics:
    if path not in _received:
        _received.clear()
        received = _received[path] = SharedMetrics({})
        # Some executors pickle what they have received once more.
        received._path, received._pickled = path, pickle.loads(path.read_bytes())  # noqa: S301 - from the process that asked
    return _received[path]


def score_chunks(
    chunks: Iterable[Chunk],
    *,
    metrics: Mapping[str, Metric],
    executor: Executor,
    most_waiting: int = 1,
) -> Generator[ChunkResult, None, None]:
    """Yield the results of chunks in order of completion; closing the generator cancels the chunks that wait.

    Args:
        chunks: Consumed as fast as they are scored, so that not all batches are in memory at once.
        metrics: Metrics that are ready to score, by name.
        executor: Runs the scoring; an exception that breaks the executor is raised here.
        most_waiting: The maximal number of chunks submitted at a time.
    """
    with TemporaryDirectory() as folder:
        shared = SharedMetrics(metrics, folder=Path(folder))
        waiting: set[Future[list[ChunkResult]]] = set()
        try:
            for chunk in chunks:
                waiting.add(executor.submit(score_chunk, shared, chunk))
                if len(waiting) >= most_waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield from future.result()
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from future.result()
        finally:
            # Not by `shutdown`, which cancels nothing in executors of some clusters.
            for future in waiting:
                future.cancel()
