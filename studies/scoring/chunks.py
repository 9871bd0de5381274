"""Chunks of scores as stored in the database: little-endian float64, each committed in one transaction."""

from datetime import datetime

import numpy as np
import numpy.typing as npt
from django.db import IntegrityError, transaction
from django.db.models import F, Value
from django.db.models.functions import Greatest

from metrics_plugins.runtime.chunks import ChunkResult
from studies.models import Run, ScoreChunk

Values = npt.NDArray[np.float64]


def count_chunks(run: Run) -> int:
    """Return how many chunks the finished run has."""
    return -(-run.n_rows // run.chunk_size)


def find_missing(run: Run) -> list[int]:
    """Return the indexes of the chunks that have not been scored yet."""
    present = set(ScoreChunk.objects.filter(run=run).values_list("index", flat=True))
    return [index for index in range(count_chunks(run)) if index not in present]


def get_rows(run: Run, index: int) -> range:
    """Return the row numbers of a chunk."""
    return range(index * run.chunk_size, min((index + 1) * run.chunk_size, run.n_rows))


def save_chunk(run: Run, result: ChunkResult) -> None:
    """Commit the scores of one chunk, unless another process has already committed it."""
    if result.values is None:
        raise ValueError(f"chunk {result.index} of {result.metric} holds an error and no scores")
    try:
        with transaction.atomic():
            ScoreChunk.objects.create(
                run=run,
                index=result.index,
                values=pack(result.values),
                statistics=None if result.statistics is None else pack(result.statistics),
            )
            Run.objects.filter(pk=run.pk).update(
                seconds=F("seconds") + result.seconds,
                n_infinite=F("n_infinite") + result.n_infinite,
                peak_memory=Greatest("peak_memory", Value(result.peak.process)),
                peak_gpu_memory=Greatest("peak_gpu_memory", Value(result.peak.accelerator)),
            )
    except IntegrityError:
        if not ScoreChunk.objects.filter(run=run, index=result.index).exists():
            raise


def finish_if_complete(run: Run, *, now: datetime) -> bool:
    """Mark the run finished if all its chunks are there; return whether they are."""
    if find_missing(run):
        return False
    Run.objects.filter(pk=run.pk, finished_at__isnull=True).update(finished_at=now)
    return True


def pack(values: Values) -> bytes:
    """Return the numbers as bytes, in row-major order."""
    return values.astype("<f8").tobytes()


def unpack_scores(run: Run) -> Values:
    """Return `(n_rows,)`: the scores of a complete run, NaN where a score is missing."""
    return unpack_counted(run)[0]


def unpack_counted(run: Run) -> tuple[Values, int]:
    """Return the scores as `unpack_scores` does, and the number that are missing because they were infinite.

    Infinite scores are stored as NaN when they are computed; those in older data or in a bundle are replaced here.
    """
    blobs = ScoreChunk.objects.filter(run=run).order_by("index").values_list("values", flat=True)
    values = np.frombuffer(b"".join(blobs), dtype="<f8").astype(np.float64, copy=False)
    is_infinite = np.isinf(values)
    n_infinite = run.n_infinite + int(is_infinite.sum())
    return (np.where(is_infinite, np.nan, values) if is_infinite.any() else values), n_infinite


def unpack_statistics(run: Run) -> Values | None:
    """Return `(n_rows, n_statistics)` of a complete run, None if the metric does not decompose."""
    blobs = list(ScoreChunk.objects.filter(run=run).order_by("index").values_list("statistics", flat=True))
    if not blobs or any(blob is None for blob in blobs):
        return None
    return np.frombuffer(b"".join(blobs), dtype="<f8").reshape(run.n_rows, -1)
