"""Chunks of scores as the database keeps them: little-endian float64, committed whole or not at all."""

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
    """Return the indexes of the chunks that are still to be scored."""
    present = set(ScoreChunk.objects.filter(run=run).values_list("index", flat=True))
    return [index for index in range(count_chunks(run)) if index not in present]


def get_rows(run: Run, index: int) -> range:
    """Return the row numbers of a chunk."""
    return range(index * run.chunk_size, min((index + 1) * run.chunk_size, run.n_rows))


def save_chunk(run: Run, result: ChunkResult) -> None:
    """Commit the scores of one chunk; a chunk that another process committed in the meantime is left alone."""
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
    """Return the numbers, row by row, as the bytes that are kept."""
    return values.astype("<f8").tobytes()


def unpack_scores(run: Run) -> Values:
    """Return `(n_rows,)`: the scores of a complete run, NaN where there is none."""
    return unpack_counted(run)[0]


def unpack_counted(run: Run) -> tuple[Values, int]:
    """Return the scores of a complete run as `unpack_scores` does, and how many are missing for being infinite.

    An infinite score is NaN since it was scored; one of older data, or of a bundle, becomes NaN here.
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
