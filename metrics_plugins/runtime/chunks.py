"""Chunks of rows, and the results of metrics on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, Final

import numpy as np

from metrics_plugins.api import Batch, DecomposableMetric, Level, Metric, Scores
from metrics_plugins.api.batches.buffers import decode_batch, encode_batch
from metrics_plugins.api.errors import BadScores, FittedOnEvaluation, MissingResource
from metrics_plugins.api.scores import Values
from metrics_plugins.runtime import MetricRun, run_metric
from metrics_plugins.runtime.failures import explain_failure, find_row
from metrics_plugins.runtime.peak_memory import UNKNOWN_PEAK, PeakMemory, take_peak_memory
from metrics_plugins.runtime.printing import printing_to_stderr
from metrics_plugins.runtime.running import make_run

CHUNK_SIZE: Final = 5000
_MOST_BYTES: Final = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Rows scored together by one or more metrics, which share the derived features of the batch.

    `is_part` says that there are other chunks of the same input.
    """

    index: int
    batch: Batch
    metrics: tuple[str, ...]
    is_part: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PackedChunk:
    """A chunk whose batch is in columnar buffers, for a worker on another machine."""

    index: int
    content: bytes
    metrics: tuple[str, ...]
    is_part: bool = False

    def unpack(self) -> Chunk:
        return Chunk(self.index, decode_batch(self.content), self.metrics, is_part=self.is_part)


def pack_chunk(chunk: Chunk) -> PackedChunk:
    """Return a chunk as it travels to another machine."""
    return PackedChunk(chunk.index, encode_batch(chunk.batch), chunk.metrics, is_part=chunk.is_part)


@dataclass(frozen=True, slots=True, eq=False)
class ChunkResult:
    """The result of one metric on one chunk; `error` is empty if the metric returned scores.

    `n_infinite` is the number of infinite scores, which are NaN in `values`. `lacks_resource` says that the error is a
    missing resource on this machine. `row` is the row of the chunk that caused the error, if it is known. `peak` is the
    peak memory of the whole process up to the end of this chunk.
    """

    metric: str
    index: int
    seconds: float
    values: Values | None = None
    statistics: Values | None = None
    n_infinite: int = 0
    error: str = ""
    lacks_resource: bool = False
    row: int | None = None
    peak: PeakMemory = UNKNOWN_PEAK


def cut_chunks(batch: Batch, metrics: tuple[str, ...], *, size: int = CHUNK_SIZE) -> list[Chunk]:
    """Return the rows of a batch in chunks of the given size; the batch itself if it fits into one."""
    if len(batch) <= size:
        return [Chunk(0, batch, metrics)]
    starts = range(0, len(batch), size)
    return [
        Chunk(index, batch.select(range(start, min(start + size, len(batch)))), metrics, is_part=True)
        for index, start in enumerate(starts)
    ]


@printing_to_stderr
def score_chunk(metrics: Mapping[str, Metric], chunk: Chunk | PackedChunk) -> list[ChunkResult]:
    """Return the result of each metric on the chunk; an exception in one metric does not stop the others."""
    return list(_score_each(metrics, chunk.unpack() if isinstance(chunk, PackedChunk) else chunk))


def _score_each(metrics: Mapping[str, Metric], chunk: Chunk) -> Iterator[ChunkResult]:
    for name in chunk.metrics:
        started = perf_counter()
        metric: Metric | None = None
        try:
            metric = metrics[name]
            yield score_metric(metric, chunk.batch, name=name, index=chunk.index, is_part=chunk.is_part)
        except Exception as error:
            lacks_resource = isinstance(error, MissingResource)
            reason = explain_failure(error, module=type(metric).__module__)
            seconds = perf_counter() - started
            row = find_row(error)
            yield ChunkResult(name, chunk.index, seconds, error=reason, lacks_resource=lacks_resource, row=row)


def score_metric(metric: Metric, batch: Batch, *, name: str, index: int, is_part: bool = False) -> ChunkResult:
    """Return the scores of one metric; exceptions from the metric propagate.

    Rows that the metric learned from have no score (NaN). It is an error if these are all rows of an input, but not if
    they are all rows of one of its chunks.
    """
    # Resets the peak of the accelerator's memory.
    take_peak_memory()
    started = perf_counter()
    run = _run_on_others(metric, batch, is_part=is_part)
    seconds = perf_counter() - started
    return ChunkResult(
        name, index, seconds, run.scores.values, run.statistics, n_infinite=run.n_infinite, peak=take_peak_memory()
    )


def _run_on_others(metric: Metric, batch: Batch, *, is_part: bool) -> MetricRun:
    """Return the scores of the rows that the metric did not learn from, NaN for the others.

    Raises FittedOnEvaluation if it learned from all rows and they are no part of more, or does not say which.
    """
    try:
        return run_metric(metric, batch, rng=np.random.default_rng(0))
    except FittedOnEvaluation as error:
        others = np.setdiff1d(np.arange(len(batch)), error.rows)
        if len(others) == len(batch) or metric.info.level is Level.CORPUS:
            raise
        if not len(others):
            if not is_part or isinstance(metric, DecomposableMetric):
                raise
            return make_run(metric, Scores(batch.keys, np.full(len(batch), np.nan)), None, n_infinite=0)
        run = run_metric(metric, batch.select(others), rng=np.random.default_rng(0))
        if run.statistics is not None:
            raise
    values = np.full(len(batch), np.nan)
    values[others] = run.scores.values
    return replace(run, scores=Scores(keys=batch.keys, values=values))


def join_results(metric: Metric, results: Sequence[ChunkResult], *, keys: tuple[str, ...]) -> MetricRun:
    """Combine the results of a metric on all its chunks, in any order.

    Args:
        metric: The metric that scored.
        results: Results without errors.
        keys: The keys of all rows.
    """
    ordered = sorted(results, key=lambda each: each.index)
    values = np.concatenate([each.values for each in ordered if each.values is not None])
    statistics = [each.statistics for each in ordered if each.statistics is not None]
    scores = Scores((Level.CORPUS,) if metric.info.level is Level.CORPUS else keys, values)
    joined = np.concatenate(statistics) if statistics else None
    return make_run(metric, scores, joined, n_infinite=sum(each.n_infinite for each in ordered))


def encode_result(result: ChunkResult) -> tuple[dict[str, Any], bytes]:
    """Return the fields as JSON values, and the scores and statistics as little-endian float64 bytes."""
    if result.values is None:
        raise ValueError(f"chunk {result.index} of {result.metric} holds an error and no scores")
    fields: dict[str, Any] = {
        "n_values": len(result.values),
        "n_infinite": result.n_infinite,
        "peak_memory": result.peak.process,
        "peak_gpu_memory": result.peak.accelerator,
    }
    blob = result.values.astype("<f8").tobytes()
    if result.statistics is not None:
        fields["statistics"] = list(result.statistics.shape)
        blob += result.statistics.astype("<f8").tobytes()
    return fields, blob


def decode_result(
    fields: Mapping[str, Any], blob: bytes, *, metric: str, index: int, n_rows: int, seconds: float
) -> ChunkResult:
    """Decode the scores received from an untrusted process.

    Raises:
        BadScores: The scores cannot be read, or their number differs from the number of rows.
    """
    try:
        n_values = int(fields["n_values"])
        numbers = np.frombuffer(blob, dtype="<f8")
        shape = fields.get("statistics")
        statistics = numbers[n_values:].reshape([int(each) for each in shape]) if shape else None
    except (KeyError, TypeError, ValueError) as error:
        raise BadScores(f"its answer cannot be read: {error}") from error
    if n_values != n_rows or (statistics is not None and len(statistics) != n_rows):
        raise BadScores(f"it gave {n_values} scores for {n_rows} rows")
    peak = PeakMemory(*(_read_count(fields, name) for name in ("peak_memory", "peak_gpu_memory")))
    n_infinite = min(_read_count(fields, "n_infinite"), n_rows)
    return ChunkResult(metric, index, seconds, numbers[:n_values], statistics, n_infinite=n_infinite, peak=peak)


def _read_count(fields: Mapping[str, Any], name: str) -> int:
    found = fields.get(name, 0)
    # An untrusted process may report anything; the value must only be a number that can be stored.
    return min(found, _MOST_BYTES) if isinstance(found, int) and found > 0 else 0
