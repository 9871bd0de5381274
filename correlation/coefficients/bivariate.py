"""Coefficients between two variables x (scores of a metric) and y (judgments), both of shape (n,).

Every coefficient in `COEFFICIENTS` is in [-1, 1], and NaN if it is undefined: for fewer than two observations, or if a
variable is constant; `explain_undefined` returns the reason. Those in `BINARY_COEFFICIENTS` compare with judgments that
are one of two values, such as true and false. A NaN in x or y is an error, so that no coefficient silently uses fewer
observations; the caller counts and removes missing values.

References
----------
.. [1] M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
   doi:10.1093/biomet/33.3.239
.. [2] A. Stuart (1953). The estimation and comparison of strengths of association in contingency tables.
   Biometrika 40(1/2), 105-110. doi:10.2307/2333101
.. [3] O. Bojar, Y. Graham, A. Kamran (2017). Results of the WMT17 Metrics Shared Task. WMT, section 4.2.
   doi:10.18653/v1/W17-4755
.. [4] H. B. Mann, D. R. Whitney (1947). On a Test of Whether One of Two Random Variables is Stochastically Larger than
   the Other. Annals of Mathematical Statistics 18(1), 50-60. doi:10.1214/aoms/1177730491
.. [5] J. A. Hanley, B. J. McNeil (1982). The meaning and use of the area under a receiver operating characteristic
   (ROC) curve. Radiology 143(1), 29-36. doi:10.1148/radiology.143.1.7063747
.. [6] R. F. Tate (1954). Correlation Between a Discrete and a Continuous Variable. Point-Biserial Correlation. Annals
   of Mathematical Statistics 25(3), 603-607. doi:10.1214/aoms/1177728730
"""

from collections.abc import Callable, Mapping
from math import isnan, nan, sqrt
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.coefficients.kendall import PairCounts, count_pairs, dense_ranks
from correlation.errors import CorrelationInputError, check_name
from correlation.scaling import scale_values
from correlation.validation import FloatArray, as_floats, check_length

Coefficient = Callable[[ArrayLike, ArrayLike], float]


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's product-moment correlation.

    >>> round(pearson([1, 2, 3], [1, 2, 4]), 6)
    0.981981
    """
    return _product_moment(*_as_observations(x, y))


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Pearson's correlation of the ranks; tied values share the mean of their ranks.

    >>> round(spearman([1, 2, 3], [1, 10, 100]), 12)
    1.0
    """
    checked_x, checked_y = _as_observations(x, y)
    return _product_moment(mean_ranks(checked_x), mean_ranks(checked_y))


def kendall_tau_a(x: ArrayLike, y: ArrayLike) -> float:
    """(P - Q) / (n (n - 1) / 2) with P concordant and Q discordant pairs; ties count as neither.

    >>> kendall_tau_a([1, 2, 2], [1, 2, 3]) == 2 / 3
    True
    """
    counts, defined = _count_observed(x, y)
    return (counts.concordant - counts.discordant) / counts.total if defined else nan


def kendall_tau_b(x: ArrayLike, y: ArrayLike) -> float:
    """(P - Q) / sqrt((n0 - n1)(n0 - n2)) with n0 pairs in total, n1 tied in x and n2 tied in y [1]_.

    >>> round(kendall_tau_b([1, 2, 2], [1, 2, 3]), 6)
    0.816497
    """
    counts, defined = _count_observed(x, y)
    if not defined:
        return nan
    untied_x, untied_y = counts.total - counts.tied_x, counts.total - counts.tied_y
    return _clip((counts.concordant - counts.discordant) / sqrt(untied_x) / sqrt(untied_y))


def kendall_tau_c(x: ArrayLike, y: ArrayLike) -> float:
    """2 (P - Q) / (n^2 (m - 1) / m) with m the smaller number of distinct values [2]_.

    >>> round(kendall_tau_c([1, 2, 2], [1, 2, 3]), 6)
    0.888889
    """
    counts, defined = _count_observed(x, y)
    if not defined:
        return nan
    m = min(counts.distinct_x, counts.distinct_y)
    return _clip(2 * (counts.concordant - counts.discordant) / (counts.n**2 * (m - 1) / m))


def kendall_wmt(x: ArrayLike, y: ArrayLike) -> float:
    """(P - Q') / (P + Q') over the pairs that are not tied in the judgments [3]_.

    Pairs tied in the judgments y are left out; pairs tied in the scores x count as discordant (in Q').

    >>> kendall_wmt([1, 2, 2], [1, 2, 3]) == (2 - 1) / (2 + 1)
    True
    """
    counts, defined = _count_observed(x, y)
    if not defined:
        return nan
    discordant = counts.discordant + counts.tied_x - counts.tied_both
    return (counts.concordant - discordant) / (counts.concordant + discordant)


def point_biserial(x: ArrayLike, y: ArrayLike) -> float:
    """(M1 - M0) / s sqrt(n1 n0 / n^2), with the mean scores M1, M0 of the n1, n0 rows of each judgment [6]_.

    s is the standard deviation of all n scores (divided by n), and M1 belongs to the larger of the two judgments. NaN
    if the judgments have more than two values.

    >>> round(point_biserial([1, 2, 3, 4], [0, 0, 1, 1]), 6)
    0.894427
    """
    checked_x, checked_y = _as_observations(x, y)
    if len(checked_x) < 2 or _is_constant(checked_x) or len(np.unique(checked_y)) != 2:
        return nan
    scores = scale_values(checked_x)
    upper = checked_y == checked_y.max()
    n_upper, n = int(np.count_nonzero(upper)), len(scores)
    spread = float(np.linalg.norm(scores - scores.mean())) / sqrt(n)
    if spread == 0:
        return nan
    difference = float(scores[upper].mean() - scores[~upper].mean())
    return _clip(difference / spread * sqrt(n_upper * (n - n_upper)) / n)


def area_under_curve(x: ArrayLike, y: ArrayLike) -> float:
    """U / (n1 n0), the area under the ROC curve, with the Mann-Whitney statistic U [4]_, [5]_.

    U is the number of pairs of a row of the larger judgment with a row of the smaller one in which the former has the
    larger score; a pair with equal scores counts half. The value is the probability that the metric orders such a pair
    as the judgments do: 1/2 by chance, and for a constant score. With more than two values of y, pairs of all unequal
    judgments count (the concordance index).

    >>> area_under_curve([1, 2, 2, 4], [0, 0, 1, 1])
    0.875
    """
    counts = count_pairs(*_as_observations(x, y))
    if counts.distinct_y < 2:
        return nan
    tied_scores = counts.tied_x - counts.tied_both
    return (counts.concordant + tied_scores / 2) / (counts.total - counts.tied_y)


COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {
        "pearson": pearson,
        "spearman": spearman,
        "kendall-a": kendall_tau_a,
        "kendall-b": kendall_tau_b,
        "kendall-c": kendall_tau_c,
        "kendall-wmt": kendall_wmt,
    }
)


BINARY_COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType(
    {"point-biserial": point_biserial, "auc": area_under_curve}
)
"""The coefficients for judgments of two values. The point-biserial one is in [-1, 1], AUC in [0, 1]."""

ALL_COEFFICIENTS: Mapping[str, Coefficient] = MappingProxyType({**COEFFICIENTS, **BINARY_COEFFICIENTS})


def get_coefficient(name: str) -> Coefficient:
    """The function of this name in `ALL_COEFFICIENTS`; an unknown name raises `UnknownNameError`."""
    check_name("coefficient", name, ALL_COEFFICIENTS)
    return ALL_COEFFICIENTS[name]


def explain_undefined(x: ArrayLike, y: ArrayLike, *, coefficient: str = "") -> str | None:
    """Why no coefficient (or this one) is defined for x and y, or None if all are (or this one is) defined.

    >>> explain_undefined([0, 0, 0], [1, 2, 3])
    'the score is 0 in all 3 observations'
    >>> explain_undefined([0, 0, 1], [1, 2, 3], coefficient="point-biserial")
    'the judgments have 3 different values, point-biserial needs 2'
    """
    checked_x, checked_y = _as_observations(x, y)
    if len(checked_x) < 2:
        return f"{len(checked_x)} observation(s), at least 2 are needed"
    for name, values in (("score", checked_x), ("judgment", checked_y)):
        if _is_constant(values):
            return f"the {name} is {values[0]:g} in all {len(values)} observations"
    n_values = len(np.unique(checked_y))
    if coefficient == "point-biserial" and n_values > 2:
        return f"the judgments have {n_values} different values, point-biserial needs 2"
    return None


def mean_ranks(values: FloatArray) -> FloatArray:
    """Ranks 1 .. n, with the mean rank for ties.

    >>> mean_ranks(np.array([5.0, 1.0, 5.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    ranks, distinct = dense_ranks(values)
    counts = np.bincount(ranks, minlength=distinct)
    means: FloatArray = (np.cumsum(counts) - (counts - 1) / 2)[ranks]
    return means


def _as_observations(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    checked_x, checked_y = as_floats("x", x), as_floats("y", y)
    check_length("y", len(checked_y), len(checked_x), "x")
    for name, values in (("x", checked_x), ("y", checked_y)):
        if np.isnan(values).any():
            row = int(np.flatnonzero(np.isnan(values))[0])
            raise CorrelationInputError(f"`{name}` is NaN at index {row}: count and remove missing values first")
    return checked_x, checked_y


def _product_moment(x: FloatArray, y: FloatArray) -> float:
    if len(x) < 2 or _is_constant(x) or _is_constant(y):
        return nan
    x, y = scale_values(x), scale_values(y)
    centred_x, centred_y = x - x.mean(), y - y.mean()
    # Dividing by one norm at a time avoids underflow of small deviations.
    value = float((centred_x / np.linalg.norm(centred_x)) @ (centred_y / np.linalg.norm(centred_y)))
    return nan if isnan(value) else _clip(value)


def _count_observed(x: ArrayLike, y: ArrayLike) -> tuple[PairCounts, bool]:
    counts = count_pairs(*_as_observations(x, y))
    return counts, counts.n >= 2 and counts.distinct_x > 1 and counts.distinct_y > 1


def _is_constant(values: FloatArray) -> bool:
    return bool((values == values[0]).all())


def _clip(value: float) -> float:
    return min(1.0, max(-1.0, value))
