"""Item-level coefficients of many metrics in the same resamples of the same judgments.

Drawing weights for a million rows takes longer than using them. Here the weights of a resample are summed once into a
cross table of profiles (rows on which every metric has the same score, such as all ratings of a caption) by levels of
the judgment, from which the coefficients of all metrics are computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from correlation.coefficients.kendall import dense_ranks
from correlation.coefficients.weighted import FROM_PAIRS, centre, correlate_drawn, correlate_pairs, divide_moments
from correlation.coefficients.weighted_pairs import count_larger, count_ties_of_table, order_folds
from correlation.errors import check_name
from correlation.resampling.counts import Units
from correlation.resampling.cross_tables import CellUnits
from correlation.validation import FloatArray, IntArray

# With more cells per row than this, a cross table is slower.
MAX_CELLS_PER_ROW = 4
# Of so few units, resamples repeat often enough to look each up: five units can be drawn in 126 ways.
MOST_UNITS_REMEMBERED = 10
# Takes counts per axis, each (n_resamples, n_units); returns values (n_metrics, n_resamples), NaN where undefined.
JointEstimator = Callable[[Mapping[str, FloatArray]], FloatArray]
# Takes a table (n_profiles, n_levels); returns the value of each metric.
Evaluate = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class JointRows:
    """The rows of all metrics, summarised as far as possible, to send to processes that evaluate resamples.

    Attributes
    ----------
    scores
        Shape (n_metrics, n_profiles): the scores of each profile.
    levels
        Shape (n_levels,): the values of the judgment in ascending order.
    cells
        The rows in each cell of profile and level.
    """

    coefficient: str
    scores: FloatArray
    levels: FloatArray
    cells: CellUnits

    def prepare(self) -> JointEstimator:
        """Return the estimator, after sorting once."""
        evaluate = PREPARERS[self.coefficient](self)
        known: dict[bytes, FloatArray] = {}

        def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
            drawn = np.concatenate([counts[axis] for axis in sorted(counts)], axis=1)
            if drawn.shape[1] > MOST_UNITS_REMEMBERED:
                return np.stack([evaluate(table) for table in self.cells.tabulate(counts)], axis=1)
            keys = [row.tobytes() for row in drawn]
            new = {key: number for number, key in enumerate(keys) if key not in known}
            tables = self.cells.tabulate({axis: rows[list(new.values())] for axis, rows in counts.items()})
            known.update((key, evaluate(table)) for key, table in zip(new, tables, strict=True))
            return np.stack([known[key] for key in keys], axis=1)

        return estimate


def arrange_jointly(coefficient: str, scores: FloatArray, judgments: FloatArray, units: Units) -> JointRows | None:
    """Arrange rows for a coefficient of all metrics; None if too few rows share scores and judgments.

    Parameters
    ----------
    scores, judgments
        Shapes (n_metrics, n) and (n,), no NaN.
    units
        Of these n rows.

    Values equal those of each metric's own estimator up to rounding.
    """
    check_name("coefficient", coefficient, PREPARERS)
    if judgments.size == 0:
        return None
    level, n_levels = dense_ranks(judgments)
    profile = np.zeros(len(judgments), dtype=np.int64)
    n_profiles = 1
    for row in scores:
        ranks, distinct = dense_ranks(row)
        profile, n_profiles = _refine(profile, n_profiles, ranks, distinct)
        if n_profiles * n_levels > MAX_CELLS_PER_ROW * len(judgments):
            return None
    first = np.empty(n_profiles, dtype=np.int64)
    first[profile[::-1]] = np.arange(len(profile))[::-1]
    cells = CellUnits.build(profile, level, n_profiles, n_levels, units)
    return JointRows(coefficient, scores[:, first], np.unique(judgments), cells)


def _refine(profile: IntArray, n_profiles: int, ranks: IntArray, distinct: int) -> tuple[IntArray, int]:
    """Split profiles by one more metric: codes 0 .. k - 1, and k."""
    if distinct == 1:
        return profile, n_profiles
    if n_profiles == 1:
        return ranks, distinct
    codes, split = np.unique(profile * distinct + ranks, return_inverse=True)
    return split.astype(np.int64), len(codes)


@dataclass(frozen=True, slots=True, eq=False)
class _Order:
    """The profiles sorted by the scores of one metric, the start of each run of ties, and the order of folds."""

    profiles: IntArray
    starts: IntArray
    folds: IntArray

    def gather(self, columns: FloatArray) -> FloatArray:
        """Return columns (n_profiles, k) in this order, with tied rows summed."""
        ordered = np.take(columns, self.profiles, axis=0)
        return np.add.reduceat(ordered, self.starts, axis=0) if self.has_ties else ordered

    def fold(self, table: FloatArray, room: FloatArray) -> FloatArray:
        """As `gather`, in the order of folds, written into `room`; the last row of (n_profiles + 1, k) is empty."""
        levels = np.vstack([self.gather(table), table[-1:]]) if self.has_ties else table
        # All indices are in range. A mode other than "raise" is needed to write into `room` without a buffer.
        return np.take(levels, self.folds, axis=0, out=room[: len(self.folds)], mode="clip")

    @property
    def has_ties(self) -> bool:
        return len(self.starts) < len(self.profiles)


def _prepare_pearson(data: JointRows) -> Evaluate:
    x, level_values = np.stack([centre(row) for row in data.scores]), centre(data.levels)
    n_metrics = len(x)
    columns = np.ascontiguousarray(np.concatenate([x, x**2]).T)

    def evaluate(table: FloatArray) -> FloatArray:
        per_level = table.sum(axis=0)
        sums, of_squares = np.split(np.stack([table.sum(axis=1), table @ level_values]) @ columns, 2, axis=1)

        def recompute(metric: int) -> float:
            profile, level = np.nonzero(table)
            return correlate_drawn(
                x[metric, profile],
                level_values[level],
                table[profile, level],
                raw_x=data.scores[metric, profile],
                raw_y=data.levels[level],
            )

        return divide_moments(
            np.full(n_metrics, per_level.sum()),
            sums[0],
            np.full(n_metrics, per_level @ level_values),
            of_squares[0],
            np.full(n_metrics, per_level @ level_values**2),
            sums[1],
            recompute,
        )

    return evaluate


def _prepare_point_biserial(data: JointRows) -> Evaluate:
    if len(data.levels) > 2:
        return lambda _: np.full(len(data.scores), np.nan)
    return _prepare_pearson(data)


def _prepare_counted(data: JointRows) -> Evaluate:
    orders = [_sort_profiles(row) for row in data.scores]
    empty = np.zeros((1, len(data.levels)))
    room = np.empty((max(len(order.folds) for order in orders), len(data.levels)))

    def evaluate(table: FloatArray) -> FloatArray:
        padded = np.vstack([table, empty])
        # Ties do not depend on the order of profiles: metrics without ties between profiles share their counts.
        shared = count_ties_of_table(padded)
        values = []
        for order in orders:
            folded = order.fold(padded, room)
            ties = count_ties_of_table(folded) if order.has_ties else shared
            pairs = ties.put_in_order(count_larger(folded)[None])
            values.append(correlate_pairs(data.coefficient, pairs)[0])
        return np.array(values)

    return evaluate


def _prepare_spearman(data: JointRows) -> Evaluate:
    orders = [_sort_profiles(row) for row in data.scores]

    def evaluate(table: FloatArray) -> FloatArray:
        per_level, per_profile = table.sum(axis=0), table.sum(axis=1)
        total = per_level.sum()
        if total < 2 or np.count_nonzero(per_level) < 2:
            return np.full(len(orders), np.nan)
        ranks = _rank(per_level)
        columns = np.stack([per_profile, table @ ranks], axis=1)
        spread = np.sqrt(per_level @ ranks**2)
        return np.array([_correlate_ranks(order.gather(columns), spread) for order in orders])

    return evaluate


def _rank(weights: FloatArray) -> FloatArray:
    """Mean ranks centred on 0, so that the sums of squares need no correction for the mean."""
    ranks: FloatArray = np.cumsum(weights) - weights / 2 - weights.sum() / 2
    return ranks


def _correlate_ranks(columns: FloatArray, spread: float) -> float:
    """Pearson of mean ranks, from the weight of each distinct score and the summed judgment ranks there, in order."""
    weights, sums = columns.T
    if np.count_nonzero(weights) < 2:
        return float("nan")
    ranks = _rank(weights)
    return float(np.clip((sums @ ranks) / np.sqrt(weights @ ranks**2) / spread, -1, 1))


def _sort_profiles(scores: FloatArray) -> _Order:
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    folds = order_folds(len(starts))
    return _Order(order, starts, folds if len(starts) < len(order) else np.append(order, len(order))[folds])


PREPARERS: Mapping[str, Callable[[JointRows], Evaluate]] = MappingProxyType(
    {
        "pearson": _prepare_pearson,
        "spearman": _prepare_spearman,
        "point-biserial": _prepare_point_biserial,
        **dict.fromkeys(FROM_PAIRS, _prepare_counted),
    }
)
