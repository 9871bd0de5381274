"""Run one metric on one batch: restrict the inputs, fit if necessary, score and check the scores."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.errors import BadScores, FittedOnEvaluation, MetricError
from metrics_plugins.api.info import FitsOn, Input, Level, MetricInfo
from metrics_plugins.api.metric import DecomposableMetric, Fittable, Metric, StreamFittable
from metrics_plugins.api.scores import Scores, Values
from metrics_plugins.api.signature import Signature
from metrics_plugins.api.sources import locate_object
from metrics_plugins.runtime.failures import add_places, note_row
from metrics_plugins.runtime.printing import printing_to_stderr

_FIT_INPUTS = {FitsOn.REFERENCES: frozenset({Input.REFERENCES})}


def get_fit_inputs(info: MetricInfo) -> frozenset[Input]:
    """Return the columns that `Fittable.fit` may read: `info.inputs`, but only references with `FitsOn.REFERENCES`."""
    return _FIT_INPUTS.get(info.fits_on, info.inputs)


@dataclass(frozen=True, slots=True, eq=False)
class MetricRun:
    """The result of one metric on one batch.

    Attributes:
        scores: One score per row; a single one for a corpus-level metric.
        corpus: The score of all rows together: from totals if the metric is decomposable, else the mean over rows.
        statistics: `(n_rows, n_statistics)` for a decomposable metric, else None.
        signature: The signature of the scores.
        n_infinite: The number of rows with an infinite score, which are NaN in `scores`.
    """

    scores: Scores
    corpus: float
    statistics: Values | None
    signature: Signature
    n_infinite: int = 0


@printing_to_stderr
def run_metric(
    metric: Metric | Fittable,
    batch: Batch,
    *,
    rng: np.random.Generator,
    fit_batch: Batch | None = None,
    targets: npt.NDArray[np.float64] | None = None,
) -> MetricRun:
    """Score a batch, after fitting the metric if necessary.

    Args:
        metric: Built by `Registry.build`, or already fitted.
        batch: The rows to score.
        rng: The only source of randomness, used by `fit`.
        fit_batch: The rows to fit on; `batch` if None.
        targets: `(n_rows,)` of the fit batch, for a metric that learns from judgments.

    Raises:
        MissingInput: The batch lacks a declared column.
        UndeclaredInput: The metric reads a column that it did not declare.
        FittedOnEvaluation: The metric learned from judgments of some of these rows.
        BadScores: The scores have wrong keys, shape or type, or leave the declared bounds.

    An exception of a metric of rows gets a note that names the row that caused it, if it can be found.
    """
    if isinstance(metric, Fittable):
        metric = fit_metric(metric, batch if fit_batch is None else fit_batch, rng=rng, targets=targets)
    check_not_fitted_on(metric, batch)
    try:
        given, statistics = _score(metric, batch)
    except Exception as error:
        note_row(error, metric, batch, score=lambda rows: _score(metric, rows))
        raise
    return make_run(metric, given.drop_infinite(), statistics, n_infinite=given.n_infinite)


def _score(metric: Metric, batch: Batch) -> tuple[Scores, Values | None]:
    view = batch.restrict(metric.info)
    statistics = None
    if isinstance(metric, DecomposableMetric):
        statistics = metric.statistics(view)
        _check_statistics(metric, statistics, n_rows=len(batch))
        given = metric.score_statistics(statistics, keys=batch.keys)
    else:
        given = metric.score(view)
    check_scores(metric, given, batch=batch)
    return given, statistics


@printing_to_stderr
def make_run(metric: Metric, scores: Scores, statistics: Values | None, *, n_infinite: int) -> MetricRun:
    """Return the result of a metric from its scores, with the score of all rows together."""
    if isinstance(metric, DecomposableMetric) and statistics is not None:
        corpus = metric.reduce_corpus(statistics)
    else:
        corpus = metric.summarize(scores)
    return MetricRun(
        scores=scores,
        corpus=corpus if np.isfinite(corpus) else float("nan"),
        statistics=statistics,
        signature=metric.signature,
        n_infinite=n_infinite,
    )


@printing_to_stderr
def fit_metric(
    metric: Fittable,
    batch: Batch,
    *,
    rng: np.random.Generator,
    targets: npt.NDArray[np.float64] | None = None,
) -> Metric:
    """Return the fitted metric, which could read only the columns allowed for its kind of fitting.

    Raises:
        MissingInput: The batch lacks such a column.
        MetricError: The metric learns from judgments and targets are missing or not one per row; or the fitted metric
            has another identity, or does not list the rows that it learned from.
    """
    check_targets(metric, batch, targets)
    view = batch.restrict_to(get_fit_inputs(metric.info), reader=f"metric {metric.info.id!r} while fitting")
    fitted = metric.fit(view, targets, rng)
    check_fitted(metric, fitted, batch)
    return fitted


@printing_to_stderr
def fit_on_stream(metric: Fittable, batches: Iterable[Batch], *, rng: np.random.Generator, folder: Path) -> Metric:
    """Return the metric fitted on all rows of several batches, as `fit_metric` does for one batch.

    Args:
        metric: Learns from references.
        batches: Read once, one after the other.
        rng: As for `fit_metric`.
        folder: An existing folder, in which temporary files are made and deleted.

    Raises:
        MissingInput: A batch lacks references.
        MetricError: The metric cannot be fitted in parts, or the fitted metric has another identity.
    """
    name = metric.info.id
    if not isinstance(metric, StreamFittable):
        raise MetricError(
            f"metric {name!r} learns from all references at once, so that they must fit into memory: "
            "it has no `fit_stream`"
        )
    wanted = get_fit_inputs(metric.info)
    views = (batch.restrict_to(wanted, reader=f"metric {name!r} while fitting") for batch in batches)
    with TemporaryDirectory(dir=folder) as own:
        fitted = metric.fit_stream(views, rng, folder=Path(own))
    check_identity(metric, fitted)
    return fitted


def check_targets(metric: Fittable, batch: Batch, targets: npt.NDArray[np.float64] | None) -> None:
    """Raise `MetricError` if a metric learns from judgments and there is not exactly one target per row."""
    if metric.info.fits_on is not FitsOn.JUDGMENTS or metric.is_fitted:
        return
    if targets is None:
        raise MetricError(f"metric {metric.info.id!r} fits on judgments: pass `targets`, one mean judgment per row")
    if targets.shape != (len(batch),):
        raise MetricError(f"`targets` of {metric.info.id!r} must have shape ({len(batch)},), got {targets.shape}")


def check_fitted(metric: Fittable, fitted: object, batch: Batch) -> None:
    """Raise `MetricError` unless `fit` returned a matching metric that lists what it learned from."""
    known = check_identity(metric, fitted)
    if metric.info.fits_on is FitsOn.JUDGMENTS and not metric.is_fitted and not known.fitted_on.issuperset(batch.keys):
        raise MetricError(
            f"metric {metric.info.id!r} learned from the judgments of {len(batch)} rows, "
            f"but its `fitted_on` lacks {len(frozenset(batch.keys) - known.fitted_on)} of their keys"
        )


def check_identity(metric: Fittable, fitted: object) -> Metric:
    """Return what `fit` returned; raise `MetricError` unless it is a metric with the same info."""
    name = metric.info.id
    if not isinstance(fitted, Metric):
        raise MetricError(f"fit of {name!r} must return a Metric, got {type(fitted).__name__}")
    if fitted.info != metric.info:
        raise MetricError(f"fit of {name!r} must return a metric with the same info, got {fitted.info.id!r}")
    return fitted


def check_not_fitted_on(metric: Metric, batch: Batch) -> None:
    """Raise `FittedOnEvaluation` if the metric learned from judgments of rows in the batch."""
    learned = metric.fitted_on.intersection(batch.keys) if metric.fitted_on else frozenset()
    if learned:
        raise FittedOnEvaluation(
            f"metric {metric.info.id!r} was fitted on {len(learned)} of these {len(batch)} rows "
            f"(such as {min(learned)!r}): its agreement with people there would be overestimated",
            rows=[row for row, key in enumerate(batch.keys) if key in learned],
        )


def check_scores(metric: Metric, scores: object, *, batch: Batch) -> None:
    """Raise `BadScores` if scores do not match the batch or leave the declared bounds; NaN is allowed."""
    check_bounds(metric, check_keys(metric, scores, batch=batch))


def check_keys(metric: Metric, scores: object, *, batch: Batch) -> Scores:
    """Return the scores; raise `BadScores` unless there is one per key, in order (one in all at corpus level)."""
    name = metric.info.id
    if not isinstance(scores, Scores):
        raise BadScores(
            add_places(
                f"metric {name!r} must return Scores, as Scores.make(batch.keys, values) does, "
                f"got {type(scores).__name__}",
                filter(None, [locate_object(type(metric).score)]),
            ),
            row=0 if len(batch) else None,
        )
    if metric.info.level is Level.CORPUS:
        if len(scores) != 1:
            raise BadScores(f"corpus-level metric {name!r} must return one score, got {len(scores)}")
    elif len(scores) != len(batch):
        raise BadScores(f"metric {name!r} must return one score for each of {len(batch)} rows, got {len(scores)}")
    elif scores.keys != batch.keys:
        row = next(row for row, key in enumerate(batch.keys) if scores.keys[row] != key)
        raise BadScores(
            f"metric {name!r} must return the keys of its batch in order, "
            f"got {scores.keys[row]!r} for row {row}, whose key is {batch.keys[row]!r}"
        )
    return scores


def find_slack(bounds: tuple[float, float]) -> float:
    """Return by how much scores may leave bounds: 1e-9 of the larger finite bound, or of 1, for rounding."""
    return 1e-9 * max(abs(bound) for bound in (*bounds, 1.0) if np.isfinite(bound))


def check_bounds(metric: Metric, scores: Scores) -> None:
    """Raise `BadScores` unless scores are float64 and within the declared bounds, with some slack, or NaN."""
    name = metric.info.id
    if scores.values.dtype != np.float64:
        raise BadScores(f"metric {name!r} must return float64, got {scores.values.dtype}")
    low, high = metric.info.bounds
    slack = find_slack(metric.info.bounds)
    outside = np.flatnonzero((scores.values < low - slack) | (scores.values > high + slack))
    if len(outside):
        row = int(outside[0])
        raise BadScores(
            f"metric {name!r} declares bounds [{low}, {high}], "
            f"but gave {float(scores.values[row])!r} for key {scores.keys[row]!r} ({len(outside)} such rows)",
            row=row if metric.info.level is not Level.CORPUS else None,
        )


def _check_statistics(metric: DecomposableMetric, statistics: object, *, n_rows: int) -> None:
    expected = (n_rows, metric.n_statistics)
    if not isinstance(statistics, np.ndarray):
        came = type(statistics).__name__
        raise BadScores(f"statistics of {metric.info.id!r} must be an array of shape {expected}, got {came}")
    if statistics.shape != expected:
        raise BadScores(f"statistics of {metric.info.id!r} must have shape {expected}, got {statistics.shape}")
