"""Aggregate the judgments of each item into one target value."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from correlation.agreement.dawid_skene import fit_dawid_skene
from correlation.agreement.item_ratings import ItemRatings
from correlation.agreement.mace import fit_mace
from correlation.errors import check_name
from correlation.scaling import find_group_exponents, shrink
from correlation.tables import JudgmentTable
from correlation.validation import FloatArray


def aggregate_judgments(judgments: JudgmentTable, *, rule: str) -> FloatArray:
    """Return one number per item, shape (n_items,), NaN for an item without usable judgments.

    Parameters
    ----------
    judgments
        Judgments on one criterion.
    rule
        - `mean`, `median`;
        - `z-mean`: the mean after standardising each rater's judgments to mean 0 and standard deviation 1; a rater who
          gave a single value throughout is left out;
        - `majority`: the most frequent value, or the mean of the most frequent values if they tie;
        - `dawid-skene`, `mace`: the expected value under the model's probability of each level, every distinct value
          being a level: suitable for rating scales, not for sliders.

    >>> table = JudgmentTable.build(
    ...     items=["a", "b"], image=["1", "2"], item=["a", "a", "a"], rater=["x", "y", "z"], value=[1, 4, 4]
    ... )
    >>> [aggregate_judgments(table, rule=rule).tolist() for rule in ("mean", "median", "majority")]
    [[3.0, nan], [4.0, nan], [4.0, nan]]
    """
    check_name("aggregation", rule, AGGREGATIONS)
    result = np.full(len(judgments.items), np.nan)
    if len(judgments.value):
        # Item codes of `ItemRatings` are in ascending order of item positions, as in the result of `unique`.
        judged = np.unique(judgments.item)
        ratings = ItemRatings.build(item=judgments.item, rater=judgments.rater, value=judgments.value)
        result[judged] = AGGREGATIONS[rule](ratings)
    return result


def _mean(ratings: ItemRatings) -> FloatArray:
    return _average(ratings, ratings.value)


def _median(ratings: ItemRatings) -> FloatArray:
    order = np.lexsort((ratings.value, ratings.item))
    ordered = ratings.value[order]
    counts = np.bincount(ratings.item, minlength=ratings.n_items)
    starts = np.cumsum(counts) - counts
    medians: FloatArray = (ordered[starts + (counts - 1) // 2] + ordered[starts + counts // 2]) / 2
    return medians


def _mean_of_z(ratings: ItemRatings) -> FloatArray:
    counts = np.bincount(ratings.rater, minlength=ratings.n_raters)
    # Values are scaled per rater to avoid overflow; standardising removes the scale again.
    exponents = find_group_exponents(ratings.value, ratings.rater, n_groups=ratings.n_raters)
    values = shrink(ratings.value, exponents[ratings.rater])
    means = np.bincount(ratings.rater, weights=values, minlength=ratings.n_raters) / counts
    centred = values - means[ratings.rater]
    spread = np.sqrt(np.bincount(ratings.rater, weights=centred**2, minlength=ratings.n_raters) / counts)
    # The computed spread of a constant rater is at most a rounding error.
    spread[spread <= 1e-12 * np.abs(means)] = np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        return _average(ratings, centred / spread[ratings.rater])


def _majority(ratings: ItemRatings) -> FloatArray:
    counts = ratings.count_levels()
    most = counts == counts.max(axis=1, keepdims=True)
    values: FloatArray = most @ ratings.levels / most.sum(axis=1)
    return values


def _dawid_skene(ratings: ItemRatings) -> FloatArray:
    values: FloatArray = fit_dawid_skene(ratings).posterior @ ratings.levels
    return values


def _mace(ratings: ItemRatings) -> FloatArray:
    values: FloatArray = fit_mace(ratings).posterior @ ratings.levels
    return values


def _average(ratings: ItemRatings, values: FloatArray) -> FloatArray:
    given = ~np.isnan(values)
    counts = np.bincount(ratings.item[given], minlength=ratings.n_items)
    sums = np.bincount(ratings.item[given], weights=values[given], minlength=ratings.n_items)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


AGGREGATIONS: Mapping[str, Callable[[ItemRatings], FloatArray]] = MappingProxyType(
    {
        "mean": _mean,
        "median": _median,
        "z-mean": _mean_of_z,
        "majority": _majority,
        "dawid-skene": _dawid_skene,
        "mace": _mace,
    }
)
