"""Disagreement on single items, between two rankings or between the raters of an item."""

import numpy as np
from numpy.typing import ArrayLike

from correlation.scaling import find_group_exponents, shrink
from correlation.validation import FloatArray, IntArray, as_floats, check_length


def rank_percentiles(values: ArrayLike) -> FloatArray:
    """Return the percentile rank of each value, in (0, 1).

    Parameters
    ----------
    values
        Shape (n,); NaN = missing.

    Returns
    -------
    Shape (n,): (rank - 1/2) / n in (0, 1), with the mean rank for ties; NaN where missing. Missing values do not count
    towards n.

    Examples
    --------
    >>> rank_percentiles([10, 20, 20, 40]).tolist()
    [0.125, 0.5, 0.5, 0.875]
    """
    checked = as_floats("values", values)
    shares = np.full(len(checked), np.nan)
    known = ~np.isnan(checked)
    if known.any():
        _, code, counts = np.unique(checked[known], return_inverse=True, return_counts=True)
        below = np.cumsum(counts) - counts
        shares[known] = (below + counts / 2)[code] / known.sum()
    return shares


def differ_in_rank(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return the percentile rank by `first` minus that by `second`, among the items that have both values.

    Shape (n,), in (-1, 1); NaN where either is missing.

    Examples
    --------
    >>> differ_in_rank([1, 2], [5, 3]).tolist()
    [-0.5, 0.5]
    """
    x, y = as_floats("first", first), as_floats("second", second)
    check_length("second", len(y), len(x), "item")
    missing = np.isnan(x) | np.isnan(y)
    return rank_percentiles(np.where(missing, np.nan, x)) - rank_percentiles(np.where(missing, np.nan, y))


def sign_margins(differences: ArrayLike) -> FloatArray:
    """Return signed margins of pairs: the sign of each difference times the percentile rank of its size.

    Parameters
    ----------
    differences
        Shape (n,): score of the first caption minus score of the second; NaN = missing.

    Returns
    -------
    Shape (n,), in (-1, 1); 0 for a tie.

    Examples
    --------
    >>> sign_margins([0.5, -2.0, 0.0]).tolist()
    [0.5, -0.8333333333333334, 0.0]
    """
    checked = as_floats("differences", differences)
    margins: FloatArray = np.sign(checked) * rank_percentiles(np.abs(checked))
    return margins


def oppose(first: ArrayLike, second: ArrayLike) -> FloatArray:
    """Return how clearly two sides prefer different captions of a pair.

    Parameters
    ----------
    first, second
        Shapes (n,), in [-1, 1]: mean votes or signed margins; NaN = missing.

    Returns
    -------
    Shape (n,), in [0, 1]: the geometric mean of the two sizes where the signs differ, else 0. It is large only if both
    preferences are clear.

    Examples
    --------
    >>> oppose([1.0, 1.0, 0.25], [-1.0, 1.0, -0.25]).tolist()
    [1.0, 0.0, 0.25]
    """
    x, y = as_floats("first", first), as_floats("second", second)
    check_length("second", len(y), len(x), "item")
    product = x * y
    apart: FloatArray = np.sqrt(np.where(np.isnan(product), np.nan, np.maximum(-product, 0.0)))
    return apart


def spread_values(item: ArrayLike, value: ArrayLike, *, n_items: int) -> FloatArray:
    """Return the spread of the judgments of each item.

    Parameters
    ----------
    item
        Shape (n_judgments,): the number of the item, from 0.
    value
        Shape (n_judgments,).
    n_items
        Number of items.

    Returns
    -------
    Shape (n_items,): the standard deviation with divisor n - 1; NaN with fewer than two judgments. For votes of +1 and
    -1 it is largest where they are split evenly.

    Examples
    --------
    >>> spread_values([0, 0, 1], [1.0, 3.0, 2.0], n_items=2).round(4).tolist()
    [1.4142, nan]
    """
    codes: IntArray = np.asarray(item, dtype=np.int64)
    values = as_floats("value", value)
    check_length("value", len(values), len(codes), "item")
    counts = np.bincount(codes, minlength=n_items).astype(np.float64)
    several = counts > 1
    exponents = find_group_exponents(values, codes, n_groups=n_items)
    values = shrink(values, exponents[codes])
    means = np.bincount(codes, weights=values, minlength=n_items) / np.where(counts > 0, counts, 1.0)
    squares = np.bincount(codes, weights=(values - means[codes]) ** 2, minlength=n_items)
    spread = np.sqrt(np.divide(squares, counts - 1, out=np.full(n_items, np.nan), where=several))
    return shrink(spread, -exponents)


def average_values(item: ArrayLike, value: ArrayLike, *, n_items: int) -> FloatArray:
    """Return the mean judgment of each item, shape (n_items,), NaN without judgments; parameters as above.

    Examples
    --------
    >>> average_values([0, 0, 2], [1.0, 3.0, 2.0], n_items=3).tolist()
    [2.0, nan, 2.0]
    """
    codes: IntArray = np.asarray(item, dtype=np.int64)
    values = as_floats("value", value)
    check_length("value", len(values), len(codes), "item")
    counts = np.bincount(codes, minlength=n_items).astype(np.float64)
    sums = np.bincount(codes, weights=values, minlength=n_items)
    means: FloatArray = np.divide(sums, counts, out=np.full(n_items, np.nan), where=counts > 0)
    return means
