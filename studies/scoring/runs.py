"""Finds the run of a signature on an input, or creates it."""

from datetime import datetime

from metrics_plugins.api import MetricError
from metrics_plugins.runtime.sandbox import CatalogEntry
from studies.models import Run
from studies.scoring.inputs import InputRows
from studies.scoring.metrics import find_versions


def claim_run(
    rows: InputRows,
    *,
    entry: CatalogEntry,
    signature: str,
    chunk_size: int,
    now: datetime,
    device: str = "cpu",
    dtype: str = "float64",
) -> Run:
    """Return the run of a signature on an input.

    Args:
        rows: The input.
        entry: The metric.
        signature: The signature of its scores.
        chunk_size: The chunk size of a new run; an existing run keeps its own.
        device: The device of a new run.
        dtype: The floating-point type of a new run.
    """
    run, _ = Run.objects.get_or_create(
        signature=signature,
        input_digest=rows.digest,
        defaults={
            "metric": entry.info.id,
            "n_rows": len(rows),
            "chunk_size": chunk_size,
            "higher_is_better": entry.info.higher_is_better,
            "plugin": entry.origin,
            "versions": find_versions(entry.distribution),
            "device": device,
            "dtype": dtype[:20],
            "started_at": now,
        },
    )
    return run


def check_signature(signature: str) -> None:
    """Raise `MetricError` if a signature is too long to be stored."""
    longest = Run._meta.get_field("signature").max_length
    if len(signature) > longest:
        raise MetricError(f"its signature may have at most {longest} characters, got {len(signature)}")
