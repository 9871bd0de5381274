"""A coefficient of many metrics in the same resamples of the same judgments, at item level.

Drawing weights for a million rows costs more than using them. Here a resample's weights are summed once, into a cross
table of profiles (rows on which every metric has the same score, such as all ratings of one caption) by levels of the
judgment; each metric reads its coefficient off that table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from correlation.errors import UnknownNameError
from correlation.kendall import dense_ranks
from correlation.resampling import Units
from correlation.validation import FloatArray, IntArray
from correlation.weighted import KENDALL, centre, correlate_drawn, correlate_pairs, divide_moments
from correlation.weighted_pairs import count_larger, count_ties_of_table, order_folds

# A cross table with more cells than this per row costs more than it saves.
MAX_CELLS_PER_ROW = 4
# Counts per axis, each (n_resamples, n_units), in; values (n_metrics, n_resamples) out, NaN where undefined.
JointEstimator = Callable[[Mapping[str, FloatArray]], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The profiles in rising order of one metric, where each run of equal scores starts, and the order of folds."""

    profiles: IntArray
    starts: IntArray
    folds: IntArray

    def gather(self, columns: FloatArray) -> FloatArray:
        """Columns (k, n_profiles) in this order, equal scores added up."""
        ordered = np.take(columns, self.profiles, axis=1)
        return np.add.reduceat(ordered, self.starts, axis=1) if self.has_ties else ordered

    def fold(self, columns: FloatArray) -> FloatArray:
        """As `gather`, in the order of folds; the last column of (k, n_profiles + 1) is empty."""
        if not self.has_ties:
            return np.take(columns, self.folds, axis=1)
        gathered = np.hstack([self.gather(columns), columns[:, -1:]])
        return np.take(gathered, self.folds, axis=1)

    @property
    def has_ties(self) -> bool:
        return len(self.starts) < len(self.profiles)


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """Rows sorted by cell: scores (n_metrics, n), judgments (n,), units, the `starts` of the runs of rows of one cell,
    their `cells`; first row of each profile, and the levels of the judgment."""

    scores: FloatArray
    judgments: FloatArray
    units: Units
    starts: IntArray
    cells: IntArray
    first: IntArray
    levels: FloatArray

    def tabulate(self, weights: FloatArray) -> FloatArray:
        """Weights (n,) summed by level and profile, shape (n_levels, n_profiles)."""
        table = np.zeros(len(self.levels) * len(self.first))
        table[self.cells] = np.add.reduceat(weights, self.starts)
        return table.reshape(len(self.levels), len(self.first))


def prepare_joint(coefficient: str, scores: FloatArray, judgments: FloatArray, units: Units) -> JointEstimator | None:
    """Prepare a coefficient of every metric, or give None where rows share too few scores and judgments to gain.

    Parameters
    ----------
    scores, judgments
        Shapes (n_metrics, n) and (n,), no NaN.
    units
        Of these n rows.

    Values equal those of each metric's own estimator but for rounding.
    """
    if coefficient not in PREPARERS:
        raise UnknownNameError("coefficient", coefficient, PREPARERS)
    if judgments.size == 0:
        return None
    data = _arrange(scores, judgments, units)
    if data is None:
        return None
    evaluate = PREPARERS[coefficient](coefficient, data)

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        return np.stack([evaluate(row) for row in data.units.weigh(counts)], axis=1)

    return estimate


def _arrange(scores: FloatArray, judgments: FloatArray, units: Units) -> _Data | None:
    level, n_levels = dense_ranks(judgments)
    profile = np.zeros(len(judgments), dtype=np.int64)
    n_profiles = 1
    for row in scores:
        ranks, distinct = dense_ranks(row)
        codes, profile = np.unique(profile * distinct + ranks, return_inverse=True)
        n_profiles = len(codes)
        if n_profiles * n_levels > MAX_CELLS_PER_ROW * len(judgments):
            return None
    cell = level * n_profiles + profile
    order = np.argsort(cell, kind="stable")
    ordered = cell[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    first = np.empty(n_profiles, dtype=np.int64)
    first[profile[order]] = np.arange(len(order))
    return _Data(
        scores=scores[:, order],
        judgments=judgments[order],
        units=units.reorder(order),
        starts=starts,
        cells=ordered[starts],
        first=first,
        levels=np.unique(judgments),
    )


def _prepare_pearson(_coefficient: str, data: _Data) -> Callable[[FloatArray], FloatArray]:
    x = np.stack([centre(row) for row in data.scores])
    y = centre(data.judgments)
    of_profile = np.ascontiguousarray(x[:, data.first].T)
    squares = of_profile**2
    level_values = np.unique(y)

    def evaluate(weights: FloatArray) -> FloatArray:
        table = data.tabulate(weights)
        per_profile, per_level = table.sum(axis=0), table.sum(axis=1)
        n_metrics = len(x)
        return divide_moments(
            np.full(n_metrics, per_level.sum()),
            per_profile @ of_profile,
            np.full(n_metrics, per_level @ level_values),
            per_profile @ squares,
            np.full(n_metrics, per_level @ level_values**2),
            (level_values @ table) @ of_profile,
            lambda metric: correlate_drawn(x[metric], y, weights),
        )

    return evaluate


def _prepare_kendall(coefficient: str, data: _Data) -> Callable[[FloatArray], FloatArray]:
    orders = [_sort_profiles(row[data.first]) for row in data.scores]
    empty = np.zeros((len(data.levels), 1))

    def evaluate(weights: FloatArray) -> FloatArray:
        table = np.hstack([data.tabulate(weights), empty])
        # The order of the profiles changes no tie, so metrics without ties between profiles share their counts.
        shared = count_ties_of_table(table[None])
        values = []
        for order in orders:
            folded = order.fold(table)[None]
            ties = count_ties_of_table(folded) if order.has_ties else shared
            values.append(correlate_pairs(coefficient, ties.put_in_order(count_larger(folded)))[0])
        return np.array(values)

    return evaluate


def _prepare_spearman(_coefficient: str, data: _Data) -> Callable[[FloatArray], FloatArray]:
    orders = [_sort_profiles(row[data.first]) for row in data.scores]

    def evaluate(weights: FloatArray) -> FloatArray:
        table = data.tabulate(weights)
        return np.array([_correlate_ranks(order.gather(table)) for order in orders])

    return evaluate


def _correlate_ranks(table: FloatArray) -> float:
    """Pearson of the mean ranks, both centred on 0: the sums of squares need no correction for the means."""
    per_x, per_y = table.sum(axis=0), table.sum(axis=1)
    total = per_x.sum()
    if total < 2 or np.count_nonzero(per_x) < 2 or np.count_nonzero(per_y) < 2:
        return float("nan")
    rank_x, rank_y = (np.cumsum(per) - per / 2 - total / 2 for per in (per_x, per_y))
    value = (rank_y @ table @ rank_x) / np.sqrt(per_x @ rank_x**2) / np.sqrt(per_y @ rank_y**2)
    return float(np.clip(value, -1, 1))


def _sort_profiles(scores: FloatArray) -> _Order:
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    folds = order_folds(len(starts))
    return _Order(order, starts, folds if len(starts) < len(order) else np.append(order, len(order))[folds])


PREPARERS: Mapping[str, Callable[[str, _Data], Callable[[FloatArray], FloatArray]]] = MappingProxyType(
    {
        "pearson": _prepare_pearson,
        "spearman": _prepare_spearman,
        **dict.fromkeys(KENDALL, _prepare_kendall),
    }
)
