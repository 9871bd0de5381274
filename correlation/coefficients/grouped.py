"""One coefficient in each group of rows, vectorised over groups.

Kendall coefficients and AUC count the pairs of rows within each group, and equal those of `ALL_COEFFICIENTS` exactly.
Pearson, Spearman and the point-biserial coefficient use another order of summation, and agree up to rounding.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from correlation.coefficients.bivariate import get_coefficient
from correlation.errors import check_name
from correlation.scaling import find_group_exponents, shrink
from correlation.validation import FloatArray, IntArray

# Maximal number of pairs in memory; with more, groups are handled one by one by a method that does not list pairs.
MOST_PAIRS = 4_000_000


def correlate_groups(coefficient: str, x: FloatArray, y: FloatArray, group: IntArray) -> FloatArray:
    """The coefficient of each group, shape (n_groups,), NaN if a group has fewer than 2 rows or is constant.

    Parameters
    ----------
    coefficient
        A name in `ALL_COEFFICIENTS`.
    x, y, group
        Shape (n,): scores, judgments, and group codes 0 .. n_groups - 1 without gaps; no NaN.

    Raises
    ------
    UnknownNameError
        The coefficient is unknown.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0, 1.0, 1.0]), np.array([1.0, 3.0, 2.0, 1.0, 2.0])
    >>> correlate_groups("kendall-a", x, y, np.array([0, 0, 0, 1, 1])).round(3).tolist()
    [0.333, nan]
    """
    check_name("coefficient", coefficient, COMPUTE)
    if not len(x):
        return np.empty(0)
    order = np.argsort(group, kind="stable")
    grouped = _Grouped.build(x[order], y[order], group[order])
    if int((grouped.sizes * (grouped.sizes - 1) // 2).sum()) > MOST_PAIRS:
        compute = get_coefficient(coefficient)
        parts = zip(np.split(grouped.x, grouped.starts[1:]), np.split(grouped.y, grouped.starts[1:]), strict=True)
        return np.array([compute(own_x, own_y) for own_x, own_y in parts])
    with np.errstate(all="ignore"):
        values = COMPUTE[coefficient](grouped)
    varied = grouped.vary(grouped.y)
    if coefficient != "auc":
        varied &= grouped.vary(grouped.x)
    return np.where(varied, np.clip(values, -1.0, 1.0), np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    """Rows sorted by group; `starts` and `sizes` have shape (n_groups,)."""

    x: FloatArray
    y: FloatArray
    group: IntArray
    starts: IntArray
    sizes: IntArray

    @classmethod
    def build(cls, x: FloatArray, y: FloatArray, group: IntArray) -> "_Grouped":
        sizes = np.bincount(group).astype(np.int64)
        return cls(x, y, group, np.cumsum(sizes) - sizes, sizes)

    def vary(self, column: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Whether each group has at least two distinct values."""
        varied = np.minimum.reduceat(column, self.starts) < np.maximum.reduceat(column, self.starts)
        return np.asarray(varied, dtype=np.bool_)

    def add(self, column: FloatArray) -> FloatArray:
        """The sum of each group."""
        sums: FloatArray = np.add.reduceat(column, self.starts)
        return sums

    def scale(self, column: FloatArray) -> FloatArray:
        """Values divided by a power of two per group, so that their squares neither overflow nor underflow."""
        exponents = find_group_exponents(column, self.group, n_groups=len(self.starts))
        return shrink(column, exponents[self.group])

    def count_distinct(self, column: FloatArray) -> IntArray:
        """The number of distinct values in each group."""
        order = np.lexsort((column, self.group))
        ordered = column[order]
        is_new = np.ones(len(ordered), dtype=np.int64)
        is_new[1:] = (ordered[1:] != ordered[:-1]) | (self.group[1:] != self.group[:-1])
        counts: IntArray = np.add.reduceat(is_new, self.starts)
        return counts

    def rank(self, column: FloatArray) -> FloatArray:
        """Mean ranks 1 .. n within each group."""
        order = np.lexsort((column, self.group))
        ordered = column[order]
        is_new = np.ones(len(ordered), dtype=np.bool_)
        is_new[1:] = (ordered[1:] != ordered[:-1]) | (self.group[1:] != self.group[:-1])
        firsts = np.flatnonzero(is_new)
        lasts = np.append(firsts[1:], len(ordered)) - 1
        run = np.cumsum(is_new) - 1
        ranks = np.empty(len(ordered))
        ranks[order] = (firsts + lasts)[run] / 2 - self.starts[self.group] + 1
        return ranks


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Exact pair counts of each group as float64, each of shape (n_groups,); fields as in `PairCounts`."""

    concordant: FloatArray
    discordant: FloatArray
    tied_x: FloatArray
    tied_y: FloatArray
    tied_both: FloatArray
    total: FloatArray

    @classmethod
    def build(cls, rows: _Grouped) -> "_Pairs":
        # Each row is paired with the later rows of its group.
        partners = (rows.starts + rows.sizes)[rows.group] - np.arange(len(rows.x)) - 1
        first = np.repeat(np.arange(len(rows.x)), partners)
        second = np.arange(len(first)) - np.repeat(np.cumsum(partners) - partners, partners) + first + 1
        step_x = np.sign(rows.x[second] - rows.x[first])
        step_y = np.sign(rows.y[second] - rows.y[first])
        group, n_groups = rows.group[first], len(rows.starts)

        def count(kind: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> FloatArray:
            return np.bincount(group[kind], minlength=n_groups).astype(np.float64)

        return cls(
            concordant=count(step_x * step_y > 0),
            discordant=count(step_x * step_y < 0),
            tied_x=count(step_x == 0),
            tied_y=count(step_y == 0),
            tied_both=count((step_x == 0) & (step_y == 0)),
            total=(rows.sizes * (rows.sizes - 1) // 2).astype(np.float64),
        )


def _pearson(rows: _Grouped, x: FloatArray, y: FloatArray) -> FloatArray:
    scaled_x, scaled_y = rows.scale(x), rows.scale(y)
    centred_x, centred_y = (column - (rows.add(column) / rows.sizes)[rows.group] for column in (scaled_x, scaled_y))
    norm_x, norm_y = (np.sqrt(rows.add(column**2)) for column in (centred_x, centred_y))
    # Dividing by one norm at a time avoids underflow, as in `pearson`.
    return rows.add((centred_x / norm_x[rows.group]) * (centred_y / norm_y[rows.group]))


def _kendall_a(rows: _Grouped) -> FloatArray:
    pairs = _Pairs.build(rows)
    return (pairs.concordant - pairs.discordant) / pairs.total


def _kendall_b(rows: _Grouped) -> FloatArray:
    pairs = _Pairs.build(rows)
    untied_x, untied_y = pairs.total - pairs.tied_x, pairs.total - pairs.tied_y
    return (pairs.concordant - pairs.discordant) / np.sqrt(untied_x) / np.sqrt(untied_y)


def _kendall_c(rows: _Grouped) -> FloatArray:
    pairs = _Pairs.build(rows)
    m = np.minimum(rows.count_distinct(rows.x), rows.count_distinct(rows.y))
    values: FloatArray = 2 * (pairs.concordant - pairs.discordant) / (rows.sizes**2 * (m - 1) / m)
    return values


def _kendall_wmt(rows: _Grouped) -> FloatArray:
    pairs = _Pairs.build(rows)
    discordant = pairs.discordant + pairs.tied_x - pairs.tied_both
    return (pairs.concordant - discordant) / (pairs.concordant + discordant)


def _point_biserial(rows: _Grouped) -> FloatArray:
    # Equal to Pearson's correlation where a group's judgments have two values.
    return np.where(rows.count_distinct(rows.y) == 2, _pearson(rows, rows.x, rows.y), np.nan)


def _auc(rows: _Grouped) -> FloatArray:
    pairs = _Pairs.build(rows)
    return (pairs.concordant + (pairs.tied_x - pairs.tied_both) / 2) / (pairs.total - pairs.tied_y)


COMPUTE: Mapping[str, Callable[[_Grouped], FloatArray]] = MappingProxyType(
    {
        "pearson": lambda rows: _pearson(rows, rows.x, rows.y),
        "spearman": lambda rows: _pearson(rows, rows.rank(rows.x), rows.rank(rows.y)),
        "kendall-a": _kendall_a,
        "kendall-b": _kendall_b,
        "kendall-c": _kendall_c,
        "kendall-wmt": _kendall_wmt,
        "point-biserial": _point_biserial,
        "auc": _auc,
    }
)
