"""Score captions with several metrics into a data frame."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from accordance.loading import get_registry
from accordance.rows import Caption, CaptionRows
from accordance.scored import ScoredRows, score_rows
from metrics_plugins.api import Level, MetricError

if TYPE_CHECKING:
    import pandas as pd


def score(
    captions: Iterable[Caption],
    references: Iterable[Sequence[str]] | None = None,
    *,
    metrics: Sequence[str],
    systems: Iterable[str] | None = None,
    images: Iterable[str | Path] | None = None,
    params: Mapping[str, Mapping[str, object]] | None = None,
    device: str = "cpu",
    seed: int = 0,
    plugins: Sequence[str | Path] = (),
) -> "pd.DataFrame":
    """Score captions with several metrics.

    Args:
        captions: A text for each row; for set-level metrics, a list of texts.
        references: The reference captions of each row.
        metrics: Ids of metrics of segments or sets.
        systems: The system that wrote each caption.
        images: The key or file of each row's image; required with `systems`, since an image then has several rows.
        params: Parameters by metric.
        device: Where metrics with encoders compute.
        seed: The seed of metrics that draw at random.
        plugins: Plugin files, as in `load`.

    Returns:
        A frame with one row per caption, in order: `system` and `image` if given, `caption`, and a column for each
        metric (NaN where it is undefined). `frame.attrs["signatures"]` has the signature of each metric, and
        `frame.attrs["totals"]` the score of all captions, or of each system if systems are given.

    Raises:
        ValueError: Columns differ in length, `metrics` is a text or names a metric twice, or `images` are missing.
        PluginError: A plugin file is not valid.
        MetricError: A metric is unknown, of corpus level, or needs an input that is missing.
    """
    import pandas as pd

    if isinstance(metrics, str) or len(set(metrics)) != len(metrics):
        raise ValueError(f"`metrics` must be a list of different ids, got {metrics!r}")
    rows = CaptionRows.make(captions, references, images)
    names = None if systems is None else tuple(systems)
    if names is not None and len(names) != len(rows.captions):
        raise ValueError(f"`systems` must have one entry per caption ({len(rows.captions)}), got {len(names)}")
    if names is not None and rows.images is None:
        raise ValueError("`systems` need `images`, which say which captions describe the same image")
    scored = score_metrics(rows, metrics=metrics, params=params or {}, device=device, seed=seed, plugins=plugins)
    columns: dict[str, object] = {} if names is None else {"system": list(names)}
    columns |= {} if rows.images is None else {"image": list(rows.images)}
    columns |= {"caption": list(rows.captions)}
    frame = pd.DataFrame(columns | {name: each.run.scores.values for name, each in scored.items()})
    frame.attrs["signatures"] = {name: str(each.run.signature) for name, each in scored.items()}
    frame.attrs["totals"] = {name: _total(each, names) for name, each in scored.items()}
    return frame


def score_metrics(
    rows: CaptionRows,
    *,
    metrics: Sequence[str],
    params: Mapping[str, Mapping[str, object]],
    device: str = "cpu",
    seed: int = 0,
    plugins: Sequence[str | Path] = (),
) -> dict[str, ScoredRows]:
    """Score rows with each metric; work such as tokens is shared between them.

    Raises:
        MetricError: As in `score`.
    """
    registry = get_registry(plugins)
    built = {name: registry.build(name, device=device, **params.get(name, {})) for name in metrics}
    for name, metric in built.items():
        if metric.info.level is Level.CORPUS:
            raise MetricError(f"metric {name!r} has no score of single rows: use `accordance.load({name!r}).compute`")
    batch = rows.make_batch()
    documents = rows.select_documents(batch)
    return {name: score_rows(metric, batch, documents=documents, seed=seed) for name, metric in built.items()}


def _total(scored: ScoredRows, systems: tuple[str, ...] | None) -> float | dict[str, float]:
    if systems is None:
        return scored.run.corpus
    names = np.asarray(systems)
    return {name: scored.summarize_rows(np.flatnonzero(names == name)) for name in dict.fromkeys(systems)}
