"""Executors from one factory, and chunks submitted to any of them."""

import multiprocessing
import pickle
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from metrics_plugins.api import Metric
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, score_chunk


class InlineExecutor(Executor):
    """Runs each call at once, in this process."""

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
    # Spawned, not forked: a fork would share this process's database connection and copy its locks.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=start)


EXECUTORS: Final[Mapping[str, Callable[[int, Start], Executor]]] = MappingProxyType(
    {"inline": _make_inline, "processes": _make_processes}
)
"""Kind -> what makes an executor of it; that of a cluster is one more entry."""


def do_nothing() -> None:
    """Start a worker process as it is."""


def make_executor(kind: str, *, workers: int = 1, start: Start = do_nothing) -> Executor:
    """Return a new executor; whoever asked for it shuts it down.

    Args:
        kind: One of `EXECUTORS`.
        workers: How many calls run at once, where several can.
        start: What each worker process calls first.

    Raises:
        ValueError: There is no such kind.
    """
    if kind not in EXECUTORS:
        raise ValueError(f"`kind` of executor must be one of {', '.join(EXECUTORS)}, got {kind!r}")
    return EXECUTORS[kind](workers, start)


class SharedMetrics(Mapping[str, Metric]):
    """Metrics that every worker process unpickles once, however many chunks it scores with them.

    Each is unpickled when it first scores, so that one that cannot be is told of like one that cannot score.
    """

    def __init__(self, metrics: Mapping[str, Metric], *, folder: Path | None = None) -> None:
        self._metrics = dict(metrics)
        self._folder = folder
        self._token = secrets.token_hex(8)
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

    def __reduce__(self) -> tuple[Callable[..., "SharedMetrics"], tuple[str, Path]]:
        # Metrics may hold a hundred megabytes: they go to each worker once, by a file, and not with every chunk.
        if self._folder is None:
            raise ValueError("`folder` must be where the metrics are written for other processes, got None")
        path = self._folder / self._token
        if not path.exists():
            path.write_bytes(pickle.dumps({name: pickle.dumps(metric) for name, metric in self._metrics.items()}))
        return _receive, (self._token, path)


_received: Final[dict[str, SharedMetrics]] = {}
"""The metrics that this worker process scores with, under their token: the last that arrived."""


def _receive(token: str, path: Path) -> SharedMetrics:
    if token not in _received:
        _received.clear()
        _received[token] = SharedMetrics({})
        _received[token]._pickled = pickle.loads(path.read_bytes())  # noqa: S301 - from the process that asked
    return _received[token]


def score_chunks(
    chunks: Iterable[Chunk],
    *,
    metrics: Mapping[str, Metric],
    executor: Executor,
    most_waiting: int = 1,
) -> Iterator[ChunkResult]:
    """Yield the results of chunks as they are done, in any order.

    Args:
        chunks: Taken one by one, only as fast as they are scored: their batches are never in memory all at once.
        metrics: Ready to score, by name.
        executor: Where they score; whatever breaks it is raised here.
        most_waiting: How many chunks it may have at a time.
    """
    with TemporaryDirectory() as folder:
        shared = SharedMetrics(metrics, folder=Path(folder))
        waiting: set[Future[list[ChunkResult]]] = set()
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
