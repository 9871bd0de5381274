"""Fleiss' kappa for many raters and Cohen's (weighted) kappa for pairs of raters.

References
----------
.. [1] J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5).
.. [2] J. Cohen (1968). Weighted kappa. Psychological Bulletin 70(4).
"""

from collections.abc import Callable, Mapping
from itertools import combinations
from types import MappingProxyType

import numpy as np

from correlation.agreement.alpha import ItemEstimator
from correlation.agreement.item_ratings import ItemRatings
from correlation.validation import FloatArray, IntArray


def prepare_fleiss(ratings: ItemRatings) -> ItemEstimator:
    """Fleiss' kappa of nominal judgments, with equally many for each item [1]_; undefined if all are equal."""
    counts = ratings.count_levels()
    per_item = counts.sum(axis=1)
    agreement = ((counts**2).sum(axis=1) - per_item) / (per_item * (per_item - 1))

    def estimate(weights: FloatArray) -> FloatArray:
        totals = weights @ counts
        shares = totals / totals.sum(axis=1, keepdims=True)
        expected = (shares**2).sum(axis=1)
        observed = weights @ agreement / weights.sum(axis=1)
        return _correct_for_chance(1 - observed, 1 - expected)

    return estimate


def prepare_cohen(ratings: ItemRatings, weighting: str) -> ItemEstimator:
    """Mean over the pairs of raters of 1 - observed / expected disagreement on the items that both judged [2]_.

    `weighting` is `none` (any difference counts 1), `linear` or `quadratic` in the number of levels between the two
    judgments. A pair of raters who gave a single value throughout has no kappa and is left out of the mean.
    """
    n_levels = len(ratings.levels)
    steps = np.abs(np.subtract.outer(np.arange(n_levels), np.arange(n_levels)))
    distances = DISAGREEMENTS[weighting](steps.astype(np.float64))
    table = np.full((ratings.n_items, ratings.n_raters), -1, dtype=np.int64)
    table[ratings.item, ratings.rater] = ratings.level
    pairs = []
    for a, b in combinations(range(ratings.n_raters), 2):
        both = np.flatnonzero((table[:, a] >= 0) & (table[:, b] >= 0))
        if len(both):
            pairs.append((both, table[both, a] * n_levels + table[both, b]))

    def estimate(weights: FloatArray) -> FloatArray:
        values = np.stack([_cohen(weights[:, both], cell, distances) for both, cell in pairs])
        with np.errstate(invalid="ignore"):
            means: FloatArray = np.nansum(values, axis=0) / np.count_nonzero(~np.isnan(values), axis=0)
        return means

    return estimate


def _cohen(weights: FloatArray, cell: IntArray, distances: FloatArray) -> FloatArray:
    n_levels = len(distances)
    tables = np.stack([np.bincount(cell, weights=row, minlength=n_levels**2) for row in weights])
    tables = tables.reshape(-1, n_levels, n_levels)
    expected = np.einsum("bi,ij,bj->b", tables.sum(axis=2), distances, tables.sum(axis=1))
    observed = np.einsum("bij,ij->b", tables, distances) * tables.sum(axis=(1, 2))
    return _correct_for_chance(observed, expected)


def _correct_for_chance(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 - observed / expected disagreement; a threshold separates rounding errors from disagreement."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 1e-12, 1 - observed / expected, np.nan)


DISAGREEMENTS: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {"none": lambda steps: (steps > 0).astype(np.float64), "linear": lambda steps: steps, "quadratic": np.square}
)
