"""Score chunks by an executor: in this process, in processes, or on a cluster."""

import pickle
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from typing import TypeAlias

from execution.errors import WorkersKilled
from execution.outstanding import OutstandingCalls
from metrics_plugins.api import Metric
from metrics_plugins.runtime.chunks import Chunk, ChunkResult, PackedChunk, pack_chunk, score_chunk

_Sent: TypeAlias = Chunk | PackedChunk
_Calls: TypeAlias = OutstandingCalls[_Sent, list[ChunkResult]]


class SharedMetrics(Mapping[str, Metric]):
    """Metrics that each worker process receives once and uses for all chunks.

    A metric is unpickled when it first scores, so that a failure to unpickle is reported like a failure to score.
    """

    def __init__(self, metrics: Mapping[str, Metric], *, pickled: Mapping[str, bytes] | None = None) -> None:
        self._metrics = dict(metrics)
        self._pickled = dict(pickled or {})

    def __getitem__(self, name: str) -> Metric:
        if name not in self._metrics and name in self._pickled:
            self._metrics[name] = pickle.loads(self._pickled[name])  # noqa: S301 - from the process that asked
            del self._pickled[name]
        return self._metrics[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._metrics, **self._pickled})

    def __len__(self) -> int:
        return len({**self._metrics, **self._pickled})

    def __reduce__(self) -> tuple[Callable[..., "SharedMetrics"], tuple[dict[str, bytes]]]:
        return _receive, ({**{name: pickle.dumps(metric) for name, metric in self._metrics.items()}, **self._pickled},)


def _receive(pickled: dict[str, bytes]) -> SharedMetrics:
    return SharedMetrics({}, pickled=pickled)


def score_chunks(
    chunks: Iterable[Chunk],
    *,
    metrics: Mapping[str, Metric],
    executor: Executor,
    most_waiting: int = 1,
) -> Generator[ChunkResult, None, None]:
    """Yield the results of chunks in order of completion; closing the generator cancels the chunks that wait.

    A metric whose workers on a cluster end while they run it fails, and scores no more chunks; the others are not
    affected.

    Args:
        chunks: Consumed as fast as they are scored, so that not all batches are in memory at once.
        metrics: Metrics that are ready to score, by name.
        executor: Runs the scoring; an exception that breaks the executor is raised here.
        most_waiting: The maximal number of chunks submitted at a time.
    """
    pack = pack_chunk if getattr(executor, "is_remote", False) else _leave
    given_up: set[str] = set()
    with OutstandingCalls(executor, score_chunk, shared=SharedMetrics(metrics)) as calls:
        wanted = (left for chunk in chunks if (left := _drop(pack(chunk), given_up)).metrics)
        for chunk, future in calls.run(wanted, most=most_waiting):
            try:
                results = future.result()
            except WorkersKilled as error:
                others = calls.withdraw()
                yield from _isolate(calls, chunk, error, given_up)
                for other in others:
                    if (left := _drop(other, given_up)).metrics:
                        calls.submit(left)
            else:
                yield from results


def _leave(chunk: Chunk) -> Chunk:
    return chunk


def _drop(chunk: _Sent, given_up: set[str]) -> _Sent:
    return replace(chunk, metrics=tuple(name for name in chunk.metrics if name not in given_up))


def _isolate(calls: _Calls, chunk: _Sent, error: WorkersKilled, given_up: set[str]) -> Iterator[ChunkResult]:
    """Score a chunk that ended its workers by one metric at a time, while nothing else runs.

    Nothing else, because a cluster suspects all calls of a worker that ends.
    """
    for name in chunk.metrics:
        try:
            if len(chunk.metrics) == 1:
                raise error
            calls.submit(replace(chunk, metrics=(name,)))
            yield from calls.take()[1].result()
        except WorkersKilled as killed:
            given_up.add(name)
            yield ChunkResult(name, chunk.index, 0.0, error=f"given up: {killed}")
