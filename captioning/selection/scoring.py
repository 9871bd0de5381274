"""Scores of several captions of each image under metrics, with each distinct caption of an image scored once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from captioning.api.captions import Floats
from metrics_plugins.api import Batch, DecomposableMetric, Fittable, Level, Metric
from metrics_plugins.runtime import fit_metric, run_metric

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CandidateScores:
    """The scores of captions under one metric.

    Attributes:
        metric: The metric, which is fitted.
        values: `(n_images, n)`: the score of each caption alone; NaN where it is undefined.
        statistics: `(n_images, n, n_statistics)`, if the score of a system follows from totals, as that of BLEU; else
            None, and the score of a system is the mean over images.
    """

    metric: Metric
    values: Floats
    statistics: Floats | None = field(default=None, repr=False)

    def find_best(self) -> Rows:
        """Return `(n_images,)`: the column of the best caption; the first of equally good ones.

        An undefined score is worse than any other; where all are undefined, it is the first column.
        """
        worst = -np.inf if self.metric.info.higher_is_better else np.inf
        known = np.where(np.isnan(self.values), worst, self.values)
        find = np.argmax if self.metric.info.higher_is_better else np.argmin
        best: Rows = find(known, axis=1).astype(np.int64)
        return best

    def summarize(self, columns: Rows) -> float:
        """Return the score of the system that gives each image one of its captions, `(n_images,)` columns.

        It is the metric's own score of a system: from totals, or the mean of the defined scores; NaN if there are none.
        """
        rows = np.arange(len(self.values))
        if self.statistics is not None and isinstance(self.metric, DecomposableMetric):
            return self.metric.reduce_corpus(self.statistics[rows, columns])
        chosen = self.values[rows, columns]
        known = chosen[~np.isnan(chosen)]
        return float(known.mean()) if len(known) else float("nan")


def score_candidates(
    metrics: Iterable[Metric | Fittable],
    captions: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    rng: np.random.Generator,
    image_keys: Sequence[str] | None = None,
    worlds: Sequence[object] | None = None,
) -> tuple[CandidateScores, ...]:
    """Return the scores of all captions under each metric.

    A caption that is given twice for an image is scored once, and the metrics share tokens and parses.

    Args:
        metrics: Metrics at segment level. Those that learn from references are fitted on the references given, each
            image counting once; fit them beforehand to have, say, the document frequencies of a training set.
        captions: `(n_images, n)`: the same number of captions for each image, at least one.
        references: `(n_images,)`: the references of each image.
        rng: For metrics that are fitted.
        image_keys: `(n_images,)`, for metrics that read the keys of images; by default their positions.
        worlds: `(n_images,)`, for metrics that read worlds.

    Raises:
        ValueError: A number of captions or references differs, or a metric does not score single captions.
        MetricError: A metric fails, or lacks a column.
    """
    n = _check_shape(captions, references)
    pairs = {(row, text): None for row, texts in enumerate(captions) for text in texts}
    place_of = {pair: place for place, pair in enumerate(pairs)}
    places = np.array([[place_of[row, text] for text in texts] for row, texts in enumerate(captions)], dtype=np.int64)
    rows = [row for row, _ in pairs]
    keys = [str(row) for row in range(len(captions))] if image_keys is None else list(image_keys)
    batch = Batch.make(
        (str(place) for place in range(len(pairs))),
        candidates=(text for _, text in pairs),
        references=(references[row] for row in rows),
        image_keys=(keys[row] for row in rows),
        worlds=None if worlds is None else (worlds[row] for row in rows),
    )
    images = Batch.make(map(str, range(len(keys))), references=references)
    scored: list[CandidateScores] = []
    for metric in metrics:
        if metric.info.level is not Level.SEGMENT:
            raise ValueError(
                f"metric {metric.info.id!r} gives one score for each {metric.info.level}, not each caption"
            )
        fitted = fit_metric(metric, images, rng=rng) if isinstance(metric, Fittable) else metric
        run = run_metric(fitted, batch, rng=rng)
        statistics = None if run.statistics is None else run.statistics[places].reshape(len(captions), n, -1)
        scored.append(CandidateScores(metric=fitted, values=run.scores.values[places], statistics=statistics))
    return tuple(scored)


def _check_shape(captions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> int:
    if len(captions) != len(references):
        raise ValueError(f"{len(captions)} images have captions, but {len(references)} have references")
    sizes = {len(texts) for texts in captions}
    if len(sizes) != 1 or 0 in sizes:
        raise ValueError(f"each image must have the same number of captions, at least 1, got {sorted(sizes)}")
    return sizes.pop()
