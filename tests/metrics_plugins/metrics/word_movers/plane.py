"""Six words on a plane with obvious distances, and metrics that use them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.runtime import MetricRun, Registry, load_registry, run_metric

WORDS = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "far": (3, 4), "origin": (0, 0), "eastern": (2, 0)}


@cache
def load_bundled_registry() -> Registry:
    return load_registry(strict=True)


@cache
def _build(metric_id: str, **params: Any) -> Metric | Fittable:
    return load_bundled_registry().build(metric_id, **params)


def write_plane(folder: Path) -> str:
    """Write the vectors into a file and return its path."""
    path = folder / "plane.npz"
    np.savez(path, words=np.array(list(WORDS)), vectors=np.array(list(WORDS.values()), dtype=np.float32))
    return str(path)


def run(metric_id: str, rows: Sequence[tuple[Any, Sequence[str]]], **params: Any) -> MetricRun:
    """Run a metric on rows of (candidate or captions, references)."""
    own = "candidates" if metric_id == "wmd" else "caption_sets"
    columns: dict[str, Any] = {own: [row[0] for row in rows]}
    batch = Batch.make(
        [str(row) for row in range(len(rows))], references=[references for _, references in rows], **columns
    )
    return run_metric(_build(metric_id, **params), batch, rng=np.random.default_rng(0))


def score(metric_id: str, rows: Sequence[tuple[Any, Sequence[str]]], **params: Any) -> list[float]:
    return run(metric_id, rows, **params).scores.values.tolist()
