"""Coefficients of weighted observations, prepared once and evaluated for many weight vectors.

A bootstrap resample is a vector of counts, so that all resamples of the same observations have the same order and ties.
`prepare_weighted` sorts, ranks and splits once; each resample then needs only running sums. An observation of weight w
counts as w equal observations, so the value equals the unweighted coefficient of the repeated observations.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from correlation.coefficients.kendall import dense_ranks
from correlation.coefficients.weighted_pairs import WeightedPairs, prepare_pairs
from correlation.errors import check_name
from correlation.scaling import scale_values
from correlation.validation import BoolArray, FloatArray, IntArray

# Takes weights of shape (n_resamples, n); returns one coefficient per resample, NaN where undefined.
WeightedCoefficient = Callable[[FloatArray], FloatArray]
# If the variance is below this share of the sum of squares, subtracting the mean loses too much precision.
CANCELLED = 1e-2
# Sums of squares below this contain squares that lost precision to underflow.
VANISHED = 1e-280
# If the values of a resample span less than this part of the full range, centring all values lost half their digits.
CROWDED = 2.0**-26


def prepare_weighted(coefficient: str, x: FloatArray, y: FloatArray) -> WeightedCoefficient:
    """Prepare a coefficient of x (scores) and y (judgments), both (n,) without NaN, for many weight vectors.

    >>> evaluate = prepare_weighted("kendall-a", np.array([1.0, 2, 2]), np.array([1.0, 2, 3]))
    >>> evaluate(np.array([[1.0, 1, 1], [2, 0, 1]])).tolist()
    [0.6666666666666666, 0.6666666666666666]
    """
    check_name("coefficient", coefficient, WEIGHTED)
    return WEIGHTED[coefficient](x, y)


def _prepare_pearson(x: FloatArray, y: FloatArray) -> WeightedCoefficient:
    raw_x, raw_y = x, y
    x, y = centre(x), centre(y)
    moments = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], axis=1)

    def evaluate(weights: FloatArray) -> FloatArray:
        # Row by row, since one product over the whole chunk would make rounding depend on the chunk size.
        total, sum_x, sum_y, xx, yy, xy = np.stack([row @ moments for row in weights]).T
        return divide_moments(
            total,
            sum_x,
            sum_y,
            xx,
            yy,
            xy,
            lambda resample: correlate_drawn(x, y, weights[resample], raw_x=raw_x, raw_y=raw_y),
        )

    return evaluate


def _prepare_point_biserial(x: FloatArray, y: FloatArray) -> WeightedCoefficient:
    # For judgments of two values, the difference of means divided by the spread equals Pearson's correlation.
    if len(np.unique(y)) > 2:
        return lambda weights: np.full(len(weights), np.nan)
    return _prepare_pearson(x, y)


def _prepare_spearman(x: FloatArray, y: FloatArray) -> WeightedCoefficient:
    (group_x, distinct_x), (group_y, distinct_y) = dense_ranks(x), dense_ranks(y)

    def evaluate(weights: FloatArray) -> FloatArray:
        rank_x = _rank_weighted(group_x, distinct_x, weights)
        rank_y = _rank_weighted(group_y, distinct_y, weights)
        weighted_x, weighted_y = weights * rank_x, weights * rank_y
        return divide_moments(
            weights.sum(axis=1),
            weighted_x.sum(axis=1),
            weighted_y.sum(axis=1),
            np.einsum("bn,bn->b", weighted_x, rank_x),
            np.einsum("bn,bn->b", weighted_y, rank_y),
            np.einsum("bn,bn->b", weighted_x, rank_y),
            lambda resample: correlate_drawn(rank_x[resample], rank_y[resample], weights[resample]),
        )

    return evaluate


def _rank_weighted(group: IntArray, distinct: int, weights: FloatArray) -> FloatArray:
    """Mean ranks centred on 0, with the shape of `weights`; centring avoids rounding errors in the sums of squares."""
    sums = np.stack([np.bincount(group, weights=row, minlength=distinct) for row in weights])
    ranks = np.cumsum(sums, axis=1) - sums / 2 - weights.sum(axis=1, keepdims=True) / 2
    centred: FloatArray = ranks[:, group]
    return centred


def divide_moments(
    total: FloatArray,
    sum_x: FloatArray,
    sum_y: FloatArray,
    xx: FloatArray,
    yy: FloatArray,
    xy: FloatArray,
    recompute: Callable[[int], float],
) -> FloatArray:
    """Weighted Pearson correlations from weighted sums, all of shape (n_resamples,); `recompute` returns that of one
    resample whose sums lost too much precision."""
    with np.errstate(divide="ignore", invalid="ignore"):
        variance_x, variance_y = xx - sum_x**2 / total, yy - sum_y**2 / total
        values = (xy - sum_x * sum_y / total) / np.sqrt(variance_x) / np.sqrt(variance_y)
    suspect = (total < 2) | ~(variance_x > CANCELLED * xx) | ~(variance_y > CANCELLED * yy)
    suspect |= (xx < VANISHED) | (yy < VANISHED)
    for resample in np.flatnonzero(suspect):
        values[resample] = recompute(int(resample))
    return np.clip(values, -1, 1)


def correlate_drawn(
    x: FloatArray,
    y: FloatArray,
    weights: FloatArray,
    *,
    raw_x: FloatArray | None = None,
    raw_y: FloatArray | None = None,
) -> float:
    """Weighted Pearson correlation of one resample, centred before squaring; NaN if a variable is constant.

    `raw_x` and `raw_y` are the values before centring, if they were centred. They are used when the drawn values are
    close together compared with values that were not drawn.
    """
    drawn = weights > 0
    x, y, weights = _take_drawn(x, raw_x, drawn), _take_drawn(y, raw_y, drawn), weights[drawn]
    total = weights.sum()
    if total < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    x, y = x - weights @ x / total, y - weights @ y / total
    return float(weights @ (x * y) / np.sqrt(weights @ (x * x)) / np.sqrt(weights @ (y * y)))


def _take_drawn(centred: FloatArray, raw: FloatArray | None, drawn: BoolArray) -> FloatArray:
    """The drawn values, scaled so that they can be squared."""
    taken = centred[drawn]
    if raw is not None and len(taken) and np.ptp(taken) < CROWDED:
        taken = raw[drawn]
    return scale_values(taken)


def centre(values: FloatArray) -> FloatArray:
    """Values with mean 0 and largest absolute value 1, so that sums of squares keep their precision."""
    values = scale_values(values)
    centred: FloatArray = values - values.mean() if len(values) else values
    largest = np.abs(centred).max(initial=0.0)
    return centred / largest if largest > 0 else centred


def _prepare_counted(coefficient: str) -> Callable[..., WeightedCoefficient]:
    def prepare(x: FloatArray, y: FloatArray) -> WeightedCoefficient:
        count = prepare_pairs(x, y)
        return lambda weights: correlate_pairs(coefficient, count(weights))

    return prepare


def correlate_pairs(coefficient: str, pairs: WeightedPairs) -> FloatArray:
    """A coefficient in `FROM_PAIRS` from pair counts, shape (n_resamples,), NaN where undefined."""
    defined = (pairs.n >= 2) & (pairs.distinct_y > 1)
    if coefficient != "auc":
        defined &= pairs.distinct_x > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(defined, np.clip(FROM_PAIRS[coefficient](pairs), -1, 1), np.nan)


def _tau_a(p: WeightedPairs) -> FloatArray:
    return (p.concordant - p.discordant) / p.total


def _tau_b(p: WeightedPairs) -> FloatArray:
    return (p.concordant - p.discordant) / np.sqrt(p.total - p.tied_x) / np.sqrt(p.total - p.tied_y)


def _tau_c(p: WeightedPairs) -> FloatArray:
    m: FloatArray = np.minimum(p.distinct_x, p.distinct_y)
    return 2.0 * (p.concordant - p.discordant) / (p.n**2 * (m - 1) / m)


def _wmt(p: WeightedPairs) -> FloatArray:
    discordant = p.discordant + p.tied_x - p.tied_both
    return (p.concordant - discordant) / (p.concordant + discordant)


def _auc(p: WeightedPairs) -> FloatArray:
    return (p.concordant + (p.tied_x - p.tied_both) / 2) / (p.total - p.tied_y)


FROM_PAIRS: Mapping[str, Callable[[WeightedPairs], FloatArray]] = MappingProxyType(
    {"kendall-a": _tau_a, "kendall-b": _tau_b, "kendall-c": _tau_c, "kendall-wmt": _wmt, "auc": _auc}
)
WEIGHTED: Mapping[str, Callable[[FloatArray, FloatArray], WeightedCoefficient]] = MappingProxyType(
    {
        "pearson": _prepare_pearson,
        "spearman": _prepare_spearman,
        "point-biserial": _prepare_point_biserial,
        **{coefficient: _prepare_counted(coefficient) for coefficient in FROM_PAIRS},
    }
)
