"""The metric being checked, with the rows for fitting and scoring."""

from dataclasses import dataclass

import numpy as np

from metrics_plugins.api.batches.batch import Batch
from metrics_plugins.api.errors import CheckFailed
from metrics_plugins.api.info import FitsOn, Input, MetricInfo
from metrics_plugins.api.metric import Fittable, Metric
from metrics_plugins.api.scores import Scores, Values
from metrics_plugins.runtime.checks.sample import TEXT_INPUTS, Sample
from metrics_plugins.runtime.failures import note_row
from metrics_plugins.runtime.registry import Context, MetricClass, Registry
from metrics_plugins.runtime.running import check_keys, get_fit_inputs


@dataclass(frozen=True, slots=True)
class Subject:
    """A metric class with everything that a check needs to run it.

    Attributes:
        metric_class: The class to check.
        registry: Provides tokenisers and encoders.
        modules: The modules that an interpreter imports to load the metric.
        sample: The rows to score.
        fit_sample: Separate rows to fit on.
    """

    metric_class: MetricClass
    registry: Registry
    modules: tuple[str, ...]
    sample: Sample
    fit_sample: Sample

    @property
    def info(self) -> MetricInfo:
        return self.metric_class.info

    def build(self, **params: object) -> Metric | Fittable:
        """Return a new, unfitted instance."""
        built: Metric | Fittable = self.metric_class.build(Context(self.registry), **params)
        return built

    def make(self, *, fit_sample: Sample | None = None) -> Metric:
        """Return a new metric that can score, fitted if necessary."""
        built = self.build()
        return self.fit(built, fit_sample or self.fit_sample) if isinstance(built, Fittable) else built

    def fit(self, metric: Fittable, sample: Sample) -> Metric:
        """Return the metric fitted on a sample, with ratings from 1 to 5 as targets if it learns from judgments."""
        batch = self.restrict_to_fit(sample.make_batch())
        wants_targets = self.info.fits_on is FitsOn.JUDGMENTS
        targets = np.linspace(1.0, 5.0, len(sample)) if wants_targets else None
        fitted = metric.fit(batch, targets, np.random.default_rng(0))
        require(isinstance(fitted, Metric), expected="fit to return a Metric", came=type(fitted).__name__)
        return fitted

    def restrict_to_fit(self, batch: Batch) -> Batch:
        """Return the view that `fit` receives."""
        return batch.restrict_to(get_fit_inputs(self.info), reader=f"metric {self.info.id!r} while fitting")

    def score(self, metric: Metric, sample: Sample) -> Scores:
        """Return the metric's scores for a sample in a new batch: one per row, or a single one at corpus level."""
        return self.score_batch(metric, sample.make_batch())

    def score_batch(self, metric: Metric, batch: Batch) -> Scores:
        """Return the metric's scores for a batch; an exception gets a note that names the row, if it can be found."""
        try:
            return self._score(metric, batch)
        except Exception as error:
            note_row(error, metric, batch, score=lambda rows: self._score(metric, rows))
            raise

    def _score(self, metric: Metric, batch: Batch) -> Scores:
        return check_keys(metric, metric.score(batch.restrict(self.info)), batch=batch)


def vary_texts(sample: Sample, *, keep: frozenset[Input]) -> Sample:
    """Return the sample with different texts in every text column except those in `keep`."""
    other = sample.replace_texts([f"something else, number {row}" for row in range(len(sample))], inputs=TEXT_INPUTS)
    return sample.replace({name: other.columns[name] for name in TEXT_INPUTS - keep})


def require(condition: bool, *, expected: str, came: object) -> None:
    """Raise `CheckFailed` if a condition is false."""
    if not condition:
        raise CheckFailed(f"expected {expected}; got {came}")


def require_equal(values: Values, other: Values, *, keys: tuple[str, ...], expected: str, rtol: float = 0.0) -> None:
    """Raise `CheckFailed` unless scores are identical or within a relative tolerance; NaN equals NaN."""
    require(values.shape == other.shape, expected=expected, came=f"{other.shape} scores for {values.shape}")
    same = np.isclose(values, other, rtol=rtol, atol=rtol, equal_nan=True)
    if not same.all():
        row = int(np.flatnonzero(~same)[0])
        raise CheckFailed(
            f"expected {expected}; got {float(values[row])!r} and {float(other[row])!r} "
            f"for key {keys[row]!r} ({int((~same).sum())} such rows)"
        )
