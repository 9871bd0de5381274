"""Score rows with one metric, and summarize any selection or weighting of them as a system."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, DecomposableMetric, FitsOn, Fittable, Input, Metric, MetricError, Scores
from metrics_plugins.runtime import MetricRun, run_metric
from metrics_plugins.runtime.failures import add_metric_name, describe_row, explain_failure, find_row
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from metrics_plugins.runtime.printing import printing_to_stderr

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """A metric that is ready to score, with its result for some rows."""

    metric: Metric
    run: MetricRun

    def summarize_rows(self, rows: npt.NDArray[np.int64]) -> float:
        """Return the score of the system that consists of these rows; NaN if it is undefined."""
        if isinstance(self.metric, DecomposableMetric) and self.run.statistics is not None:
            return self.metric.reduce_corpus(self.run.statistics[rows])
        scores = self.run.scores
        return self.metric.summarize(Scores(tuple(scores.keys[row] for row in rows), scores.values[rows]))

    def summarize_weighted(self, weights: Values) -> Values:
        """Return `(n_weightings,)`: the score of the rows in each weighting, given as `(n_weightings, n_rows)` counts.

        A row of weight 2 counts twice. NaN where the score is undefined.
        """
        if isinstance(self.metric, DecomposableMetric) and self.run.statistics is not None:
            with printing_to_stderr:
                return np.asarray(self.metric.reduce(weights @ self.run.statistics), dtype=np.float64)
        if type(self.metric).summarize is not Metric.summarize:
            numbers = np.arange(weights.shape[1])
            return np.array([self.summarize_rows(np.repeat(numbers, row.astype(np.int64))) for row in weights])
        values = self.run.scores.values
        is_defined = ~np.isnan(values)
        totals = weights[:, is_defined] @ values[is_defined]
        counts = weights[:, is_defined].sum(axis=1)
        means: Values = np.divide(totals, counts, out=np.full(len(weights), np.nan), where=counts > 0)
        return means


def score_rows(built: Metric | Fittable, batch: Batch, *, documents: Batch, seed: int) -> ScoredRows:
    """Score a batch, after fitting the metric on the references of `documents` where it learns from references.

    Raises:
        MetricError: The metric learns from captions or judgments, lacks an input, returns invalid scores or raises an
            exception; the message names the line of the plugin and the row.
    """
    learning = Learning(lambda: documents, scored_images=frozenset(_list_images(batch)), seed=seed)
    prepared = PreparedMetric(built, learning)
    if prepared.learns_from in (FitsOn.CAPTIONS, FitsOn.JUDGMENTS):
        raise MetricError(
            f"metric {built.info.id!r} learns from {prepared.learns_from}: train it with `accordance fit`, "
            "and pass the folder as its parameter"
        )
    try:
        metric = prepared.ready
        return ScoredRows(metric, run_metric(metric, batch, rng=np.random.default_rng(seed)))
    except MetricError:
        raise
    except Exception as error:
        row = find_row(error)
        reason = add_metric_name(explain_failure(error, module=type(built).__module__), metric=built.info.id)
        raise MetricError(reason if row is None else f"{reason}\n  on {describe_row(batch, row)}") from error


def _list_images(batch: Batch) -> tuple[str, ...]:
    return tuple(batch.image_keys) if Input.IMAGE_KEY in batch.available_inputs else batch.keys
