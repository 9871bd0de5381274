"""Krippendorff's alpha: agreement of any number of raters, with missing judgments allowed.

References
----------
.. [1] K. Krippendorff (2011). Computing Krippendorff's Alpha-Reliability. University of Pennsylvania.
.. [2] K. Krippendorff (2019). Content Analysis, 4th ed., chapter 12.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from correlation.agreement.item_ratings import ItemRatings
from correlation.errors import CorrelationInputError
from correlation.scaling import scale_values
from correlation.validation import FloatArray

# Takes weights of items (n_resamples, n_items); returns alpha (n_resamples,), NaN where undefined.
ItemEstimator = Callable[[FloatArray], FloatArray]


def prepare_alpha(ratings: ItemRatings, scale: str) -> ItemEstimator:
    """Alpha = 1 - observed / expected disagreement [1]_; 1 is perfect, 0 is chance, below 0 worse than chance.

    Items with a single judgment cannot disagree and are left out. Undefined (NaN) where all judgments are equal.
    """
    if scale == "ratio" and (ratings.levels < 0).any():
        raise CorrelationInputError(f"scale 'ratio' needs judgments of 0 and above, got {ratings.levels[0]:g}")
    # The ratio of disagreements does not depend on the scale of the judgments.
    levels = scale_values(ratings.levels)
    counts = ratings.count_levels()
    pairable = counts.sum(axis=1) >= 2
    counts = counts[pairable]
    per_item = counts.sum(axis=1)

    def estimate(weights: FloatArray) -> FloatArray:
        return np.array([_alpha(counts, per_item, row, scale, levels) for row in weights[:, pairable]])

    return estimate


def _alpha(counts: FloatArray, per_item: FloatArray, weight: FloatArray, scale: str, levels: FloatArray) -> float:
    shares = weight / (per_item - 1)
    # [1] coincidence matrix: pairs of values in one item, each item's pairs divided by its judgments less one.
    coincidences = counts.T @ (counts * shares[:, None]) - np.diag(counts.T @ shares)
    totals = counts.T @ weight
    n = float(totals.sum())
    distances = DISTANCES[scale](levels, totals)
    observed = float((coincidences * distances).sum())
    expected = float(totals @ distances @ totals) / (n - 1) if n > 1 else 0.0
    return 1 - observed / expected if expected > 0 else float("nan")


def _nominal(levels: FloatArray, _totals: FloatArray) -> FloatArray:
    return 1 - np.eye(len(levels))


def _ordinal(_levels: FloatArray, totals: FloatArray) -> FloatArray:
    """[1]_: squared number of judgments between two values, with both end values counted half."""
    middles = np.cumsum(totals) - totals / 2
    squared: FloatArray = (middles[:, None] - middles[None, :]) ** 2
    return squared


def _interval(levels: FloatArray, _totals: FloatArray) -> FloatArray:
    squared: FloatArray = (levels[:, None] - levels[None, :]) ** 2
    return squared


def _ratio(levels: FloatArray, _totals: FloatArray) -> FloatArray:
    sums = levels[:, None] + levels[None, :]
    sums[sums == 0] = 1
    squared: FloatArray = ((levels[:, None] - levels[None, :]) / sums) ** 2
    return squared


DISTANCES: Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]] = MappingProxyType(
    {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval, "ratio": _ratio}
)
