"""All bundled metrics, with rows for each to score."""

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Fittable, Input, Level, Metric
from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.runtime import Registry, load_registry
from metrics_plugins.runtime.checks.sample import SampleWorld
from metrics_plugins.runtime.running import check_scores, fit_metric
from tests.metrics_plugins.encoders.tiny import draw_shared_images, open_shared_clip, open_shared_folder
from tests.metrics_plugins.metrics.critics.lstm.tiny import train
from tests.throw_away import make_throw_away

Row = tuple[Sequence[str], Sequence[str]]
"""A caption set, whose first caption is the candidate, and references."""


@cache
def load_bundled_registry() -> Registry:
    return load_registry(strict=True)


def list_bundled(*levels: Level) -> list[str]:
    """Return the ids of the bundled metrics of these levels; of all if none is given."""
    return [
        registration.info.id
        for registration in load_bundled_registry()
        if registration.plugin_module.startswith("metrics_plugins.") and registration.info.level in (levels or Level)
    ]


def make_batch(metric_id: str, rows: Sequence[Row], *, keys: Sequence[str] | None = None) -> Batch:
    """Return a batch with the columns that a metric reads; the row numbers are the keys unless some are given."""
    info = load_bundled_registry().get(metric_id).info
    columns: dict[str, Any] = {}
    if Input.CAPTION_SET in info.inputs:
        columns["caption_sets"] = [captions for captions, _ in rows]
    else:
        columns["candidates"] = [captions[0] if captions else "" for captions, _ in rows]
    if Input.REFERENCES in info.inputs or info.fits_on is FitsOn.REFERENCES:
        columns["references"] = [references for _, references in rows]
    if Input.IMAGE in info.inputs:
        columns["images"] = [_choose_image(row) for row in rows]
    if Input.WORLD in info.inputs:
        columns["worlds"] = [SampleWorld(frozenset({"a", "dog", "red"}))] * len(rows)
    return Batch.make(keys or [str(row) for row in range(len(rows))], **columns)


def choose_params(metric_id: str) -> dict[str, Any]:
    """Return weights that a metric cannot be built without, or that are small enough to encode every row alone."""
    if metric_id in {"clip-score", "ref-clip-score"}:
        return {"encoder": str(open_shared_clip())}
    if metric_id.startswith(("sentence-cosine", "embedding-f1")):
        return {"encoder": str(open_shared_folder())}
    return {"weights": _learn_little()} if metric_id == "critic-lstm" else {}


def _choose_image(row: Row) -> Path:
    # By what the row says, so that it keeps its image when rows change places.
    images = draw_shared_images()
    return images[zlib.crc32(repr(row[0]).encode()) % len(images)]


def fit(metric_id: str, rows: Sequence[Row]) -> Metric:
    """Return the metric with its default parameters, fitted on these rows (with other keys) if it must be.

    A metric that learns for long has learned, little, from other rows.
    """
    metric = load_bundled_registry().build(metric_id, **choose_params(metric_id))
    if not isinstance(metric, Fittable):
        return metric
    batch = make_batch(metric_id, rows, keys=[f"fitted on {row}" for row in range(len(rows))])
    targets = np.linspace(1.0, 5.0, len(rows)) if metric.info.fits_on is FitsOn.JUDGMENTS else None
    return fit_metric(metric, batch, rng=np.random.default_rng(0), targets=targets)


def score(metric: Metric, rows: Sequence[Row]) -> np.ndarray:
    """Return the scores of rows in a batch of their own; raises `BadScores` if one is out of bounds."""
    # What is remembered of other batches would hide that neighbours count.
    open_memory.cache_clear()
    batch = make_batch(metric.info.id, rows)
    scores = metric.score(batch.restrict(metric.info))
    check_scores(metric, scores, batch=batch)
    return scores.values


@cache
def _learn_little() -> str:
    folder = make_throw_away("critic")
    train(folder)
    return str(folder)
