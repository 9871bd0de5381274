"""One number of a protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan, nan, sqrt

import numpy as np

from correlation.resampling.intervals import Estimated, Interval, IntervalRequest, compute_interval

# The category of a mean over categories.
MEAN = "mean"
# The category of all pairs of the other categories together: each pair, not each category, counts alike.
TOTAL = "total"


@dataclass(frozen=True, slots=True)
class ProtocolRow:
    """One number of a protocol.

    `value` is in natural units: a coefficient in [-1, 1], an accuracy as a share in [0, 1]; NaN where undefined, then
    `reason` says why. `category` is a category of pairs, `mean` (over the categories), a criterion, or None. `n` and
    `n_missing` count as in `CorrelationResult`; for pairs they count pairs. `low`, `high` and `interval` are None where
    no interval was asked for. `p_value` is that of no correlation, for Pearson over systems (t with n - 2 degrees of
    freedom; the systems are taken to be independent); None elsewhere, where rows of one image are not independent.
    """

    coefficient: str
    level: str
    category: str | None
    value: float
    low: float | None
    high: float | None
    n: int
    n_missing: int
    reason: str | None = None
    n_undefined: int = 0
    interval: Interval | None = None
    p_value: float | None = None


def bound_row(row: ProtocolRow, estimated: Estimated, interval: IntervalRequest, seed: int | None) -> ProtocolRow:
    """The row with an interval around its value; equal seeds give equal resamples to every row and metric."""
    rng = None if seed is None else np.random.default_rng(seed)
    bounds = compute_interval(estimated, interval, rng=rng)
    return replace(row, low=bounds.low, high=bounds.high, interval=bounds)


def compute_p_value(value: float, n: int) -> float:
    """Two-sided p-value of Pearson's r from n independent observations; NaN for fewer than 3.

    >>> round(compute_p_value(0.5, 12), 4)
    0.0979
    """
    from scipy.special import stdtr

    if n < 3 or isnan(value):
        return nan
    if abs(value) == 1:
        return 0.0
    t = value * sqrt((n - 2) / (1 - value**2))
    return float(2 * stdtr(n - 2, -abs(t)))
