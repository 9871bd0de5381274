"""The human ceiling: how well raters predict other raters, in the same coefficient as is used for metrics.

A metric can exceed it, since individual raters make errors and a metric may be closer to their mean than a single
rater is. Such a metric is reported and marked.

References
----------
.. [1] D. Elliott, F. Keller (2014). Comparing Automatic Evaluation Measures for Image Description. ACL.
.. [2] W. Brown (1910), C. Spearman (1910): reliability of a test of double length. British J. of Psychology 3.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import isnan, nan
from types import MappingProxyType

import numpy as np

from correlation.correlate import LEVELS, correlate
from correlation.errors import CorrelationInputError, check_name
from correlation.observations import encode_keys, prepare_observations
from correlation.resampling.counts import Units
from correlation.resampling.estimators import build_units, prepare_estimator
from correlation.resampling.intervals import Estimated, Interval, IntervalRequest, compute_interval
from correlation.tables import JudgmentTable
from correlation.validation import FloatArray, IntArray, KeyArray


@dataclass(frozen=True, slots=True)
class CeilingPart:
    """One comparison between raters: its name, its value (NaN where undefined) and its rows."""

    name: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class CeilingResult:
    """The human ceiling.

    Attributes
    ----------
    method, coefficient, level
        As requested.
    value
        Mean over the defined `parts`, in [-1, 1]; NaN if none is defined, and `reason` then says why.
    low, high, interval
        Bootstrap interval over images or systems, shared by all parts; None if not requested.
    parts
        The comparisons: pairs of raters, a rater against the others, or random splits.
    """

    method: str
    coefficient: str
    level: str
    value: float
    low: float | None
    high: float | None
    parts: tuple[CeilingPart, ...]
    reason: str | None = None
    interval: Interval | None = None

    def is_exceeded_by(self, value: float) -> bool:
        """Return whether a metric's value exceeds the ceiling; False if either is undefined."""
        return value > self.value


# A part before it is correlated: its name, and a column of shape (n_items,) per side, NaN = not judged.
Sides = tuple[str, FloatArray, FloatArray]


def measure_ceiling(
    judgments: JudgmentTable,
    *,
    method: str,
    coefficient: str,
    level: str = "item",
    interval: IntervalRequest | None = None,
    n_splits: int = 100,
    rng: np.random.Generator | None = None,
) -> CeilingResult:
    """Measure how well raters predict other raters.

    Parameters
    ----------
    judgments
        Judgments on one criterion, with rater keys.
    method
        - `mean-pairwise`: every pair of raters, on the items that both judged;
        - `leave-one-out`: every rater against the mean of the others;
        - `split-half`: the mean of a random half of an item's judgments against the mean of the other half, corrected
          to the reliability of all judgments by Spearman-Brown, 2 r / (1 + r) [2]_; for an AUC, r is 2 AUC - 1;
          `n_splits` splits.
    coefficient, level
        As in `correlate`.
    interval
        Bootstrap (or jackknife) over `images` or `systems`; raters are compared, and therefore not resampled.
    rng
        Source of randomness for the splits and the bootstrap.

    Examples
    --------
    >>> table = JudgmentTable.build(
    ...     items=["a", "b", "c"], image=["1", "2", "3"], item=list("abcabc"), rater=["x"] * 3 + ["y"] * 3,
    ...     value=[1, 2, 3, 1, 3, 2],
    ... )
    >>> round(measure_ceiling(table, method="mean-pairwise", coefficient="kendall-b").value, 4)
    0.3333
    """
    check_name("method of the human ceiling", method, METHODS)
    check_name("level", level, LEVELS)
    seed = None if rng is None else int(rng.integers(2**63))
    sides = METHODS[method](judgments, n_splits, rng)
    adjust = _keep if method != "split-half" else _step_up_auc if coefficient == "auc" else _step_up
    parts = []
    for name, x, y in sides:
        result = correlate(x, y, level=level, coefficient=coefficient, groups=judgments.image, systems=judgments.system)
        parts.append(CeilingPart(name, float(adjust(np.array([result.value]))[0]), result.n))
    defined = [part.value for part in parts if not isnan(part.value)]
    value = sum(defined) / len(defined) if defined else nan
    bounds = None
    if interval is not None:
        estimated = _prepare_parts(judgments, sides, coefficient, level, adjust, value)
        bounds = compute_interval(estimated, interval, rng=None if seed is None else np.random.default_rng(seed))
    return CeilingResult(
        method=method,
        coefficient=coefficient,
        level=level,
        value=value,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        parts=tuple(parts),
        reason=None if defined else _explain_undefined(parts),
        interval=bounds,
    )


def _explain_undefined(parts: list[CeilingPart]) -> str:
    """Return why no part has a value, and what would change it."""
    if not any(part.n for part in parts):
        return "no caption was judged by two raters; plan at least three raters per caption to obtain one"
    return (
        "the judgments that raters have in common are too few or all equal; more captions judged by the same "
        "raters would provide one"
    )


def _spread_raters(judgments: JudgmentTable) -> tuple[KeyArray, FloatArray]:
    """Rater keys, and the judgment of each item by each rater, shape (n_raters, n_items), NaN where missing."""
    if judgments.criterion is not None and len(np.unique(judgments.criterion)) > 1:
        raise CorrelationInputError("`judgments` must be of one criterion, got several: select one first")
    raters, code = np.unique(judgments.rater, return_inverse=True)
    table = np.full((len(raters), len(judgments.items)), np.nan)
    table[code, judgments.item] = judgments.value
    return raters, table


def _pair_raters(judgments: JudgmentTable, _n_splits: int, _rng: np.random.Generator | None) -> list[Sides]:
    raters, table = _spread_raters(judgments)
    return [
        (f"{raters[a]} x {raters[b]}", table[a], table[b])
        for a, b in combinations(range(len(raters)), 2)
        if (~np.isnan(table[a]) & ~np.isnan(table[b])).any()
    ]


def _leave_one_out(judgments: JudgmentTable, _n_splits: int, _rng: np.random.Generator | None) -> list[Sides]:
    raters, table = _spread_raters(judgments)
    given = ~np.isnan(table)
    sums, counts = np.nansum(table, axis=0), given.sum(axis=0)
    sides = []
    for rater, row, judged in zip(raters, table, given, strict=True):
        others = counts - judged
        rest = np.where(others > 0, (sums - np.where(judged, row, 0)) / np.maximum(others, 1), np.nan)
        sides.append((f"{rater} x others", row, rest))
    return sides


def _split_halves(judgments: JudgmentTable, n_splits: int, rng: np.random.Generator | None) -> list[Sides]:
    if rng is None:
        raise CorrelationInputError("`rng` is needed by method 'split-half', got None")
    if n_splits < 1:
        raise CorrelationInputError(f"`n_splits` must be at least 1, got {n_splits}")
    _spread_raters(judgments)
    n_items, item, value = len(judgments.items), judgments.item, judgments.value
    per_item = judgments.judgments_per_item
    first_row = np.cumsum(per_item) - per_item
    sides = []
    for split in range(n_splits):
        order = np.lexsort((rng.random(len(item)), item))
        place = np.empty(len(item), dtype=np.int64)
        place[order] = np.arange(len(item)) - first_row[item[order]]
        # With an odd number of judgments, it is random which half is the larger one.
        first = place < (per_item[item] + (rng.random(n_items) < 0.5)[item]) // 2
        halves = [_average(item[half], value[half], n_items) for half in (first, ~first)]
        sides.append((f"split {split + 1}", halves[0], halves[1]))
    return sides


def _average(item: IntArray, value: FloatArray, n_items: int) -> FloatArray:
    counts = np.bincount(item, minlength=n_items)
    sums = np.bincount(item, weights=value, minlength=n_items)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


def _step_up(values: FloatArray) -> FloatArray:
    """Spearman-Brown correction for double length; undefined at -1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > -1, np.maximum(-1.0, 2 * values / (1 + values)), np.nan)


def _step_up_auc(values: FloatArray) -> FloatArray:
    """The correction of an AUC, of which 1/2 is chance: that of 2 AUC - 1, which is 0 by chance as correlations are."""
    return (1 + _step_up(2 * values - 1)) / 2


def _keep(values: FloatArray) -> FloatArray:
    return values


def _prepare_parts(
    judgments: JudgmentTable,
    sides: list[Sides],
    coefficient: str,
    level: str,
    adjust: Callable[[FloatArray], FloatArray],
    value: float,
) -> Estimated:
    """The estimator of the mean over parts; all parts use the same resamples of images and systems."""
    everything = np.ones(len(judgments.items), dtype=np.bool_)
    codes = {"images": encode_keys("image", judgments.image, everything)}
    if judgments.system is not None:
        codes["systems"] = encode_keys("system", judgments.system, everything)
    estimators = []
    for _, x, y in sides:
        rows, complete = prepare_observations(x, y, level=level, groups=judgments.image, systems=judgments.system)
        units = build_units(rows, complete, groups=judgments.image, systems=judgments.system, raters=None)
        present = {axis: np.unique(code[complete]) for axis, code in codes.items()}
        estimators.append((prepare_estimator(level, coefficient, rows, units), present))

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        values = [
            adjust(estimator({axis: drawn[:, present[axis]] for axis, drawn in counts.items()}))
            for estimator, present in estimators
        ]
        stacked = np.stack(values)
        with np.errstate(invalid="ignore"):
            means: FloatArray = np.nansum(stacked, axis=0) / np.count_nonzero(~np.isnan(stacked), axis=0)
        return means

    return Estimated(coefficient, value, len(judgments.items), estimate, Units.build(**codes))


METHODS: Mapping[str, Callable[[JudgmentTable, int, np.random.Generator | None], list[Sides]]] = MappingProxyType(
    {"mean-pairwise": _pair_raters, "leave-one-out": _leave_one_out, "split-half": _split_halves}
)
