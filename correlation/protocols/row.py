"""The row type of all results: one number of a metric under a protocol."""

from dataclasses import dataclass, replace
from math import isnan, nan, sqrt
from typing import Final

import numpy as np

from correlation.defaults import FEWEST_UNITS
from correlation.resampling.counts import Units
from correlation.resampling.estimators import Estimator
from correlation.resampling.intervals import Estimated, IntervalRequest, compute_interval

# The category of a mean over categories.
MEAN = "mean"
# The category of all pairs together, in which pairs rather than categories are weighted equally.
TOTAL = "total"


@dataclass(frozen=True, slots=True)
class ResultMeasure:
    """A column of results: a level, a coefficient and, if the protocol has any, a category or criterion."""

    level: str
    coefficient: str
    category: str | None = None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One number of one metric. None means undefined or not computed.

    Attributes
    ----------
    metric
        The metric's id; empty if a protocol is evaluated without naming the metric.
    level, coefficient, category
        The measure. `category` is a category of pairs, `mean` (over the categories), `total` (over all their pairs), a
        criterion, or None.
    value
        In natural units: a coefficient in [-1, 1], an accuracy in [0, 1].
    low, high
        Bounds of the interval, None if not requested.
    n, n_missing
        As in `CorrelationResult`; for pairs they count pairs.
    letters
        Compact letters, such as `ab`: two metrics share a letter if and only if no significant difference was found
        between them. None if no differences were tested.
    is_above_ceiling
        Whether the value exceeds a human ceiling with the same coefficient, level and category.
    p_value
        P-value for zero correlation, for Pearson over systems (t with n - 2 degrees of freedom, assuming independent
        systems); None for fewer than ten systems, and elsewhere, since rows of one image are not independent.
    reason
        Why the value is undefined.
    caution
        Why the number must be read with care, such as too few images; None if there is no such reason. A report has it.
    """

    metric: str
    level: str
    coefficient: str
    category: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_missing: int
    letters: str | None = None
    is_above_ceiling: bool = False
    p_value: float | None = None
    reason: str | None = None
    caution: str | None = None

    @property
    def measure(self) -> ResultMeasure:
        return ResultMeasure(self.level, self.coefficient, self.category)


LEFT_OUT: Final = "they have no score or no judgment, or as many votes for one caption as for the other"
"""Why rows are counted by `n_missing`, after a colon."""


def keep_defined(value: float | None) -> float | None:
    """Return the value as a float, None if it is NaN or None."""
    return None if value is None or isnan(value) else float(value)


def estimate_row(row: ResultRow, estimator: Estimator, units: Units) -> Estimated:
    """Return the row with what is needed to compute an interval."""
    return Estimated(row.coefficient, nan if row.value is None else row.value, row.n, estimator, units)


def bound_row(row: ResultRow, estimated: Estimated, interval: IntervalRequest, seed: int | None) -> ResultRow:
    """Return the row with an interval; equal seeds give equal resamples for every row and metric."""
    rng = None if seed is None else np.random.default_rng(seed)
    bounds = compute_interval(estimated, interval, rng=rng)
    return replace(row, low=keep_defined(bounds.low), high=keep_defined(bounds.high))


def compute_p_value(value: float | None, n: int) -> float | None:
    """Two-sided p-value of Pearson's r from n independent observations.

    None for fewer than `FEWEST_UNITS` of them, or if r is undefined.

    >>> round(compute_p_value(0.5, 12), 4)
    0.0979
    """
    from scipy.special import stdtr

    if n < FEWEST_UNITS or value is None:
        return None
    if abs(value) == 1:
        return 0.0
    t = value * sqrt((n - 2) / (1 - value**2))
    return float(2 * stdtr(n - 2, -abs(t)))
