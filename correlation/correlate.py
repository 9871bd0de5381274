"""Correlate a metric with judgments at one level of analysis."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan, nan
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.coefficients.bivariate import explain_undefined, get_coefficient
from correlation.coefficients.grouped import correlate_groups
from correlation.errors import check_name
from correlation.observations import KEYS_NEEDED, Observations, average_rows, prepare_observations
from correlation.resampling.estimators import build_units, prepare_estimator
from correlation.resampling.intervals import Estimated, Interval, IntervalRequest, compute_interval
from correlation.tables import ScoreTable
from correlation.validation import check_length


@dataclass(frozen=True, slots=True)
class CorrelationResult:
    """A correlation coefficient with its interval and the numbers of observations.

    Attributes
    ----------
    coefficient, level
        Names, as in `ALL_COEFFICIENTS` and `LEVELS`.
    value
        In [-1, 1] (AUC: in [0, 1]); NaN if undefined, and `reason` then says why.
    low, high, interval
        The interval and its method; None if not requested, NaN if the value is undefined.
    n
        Number of observations: rows at item level, groups, systems, or system x group cells at global level.
    n_missing
        Number of rows left out because the score or the judgment is NaN.
    n_undefined
        Number of groups left out of the mean because their coefficient is undefined; 0 at other levels.
    """

    coefficient: str
    level: str
    value: float
    low: float | None
    high: float | None
    n: int
    n_missing: int
    reason: str | None = None
    n_undefined: int = 0
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class _Estimate:
    value: float
    n: int
    n_undefined: int
    reason: str | None


def correlate(
    x: ArrayLike,
    y: ArrayLike,
    *,
    level: str,
    coefficient: str,
    groups: ArrayLike | None = None,
    systems: ArrayLike | None = None,
    raters: ArrayLike | None = None,
    interval: IntervalRequest | None = None,
    rng: np.random.Generator | None = None,
) -> CorrelationResult:
    """Correlate scores x with judgments y.

    Parameters
    ----------
    x, y
        Shape (n,): paired scores and judgments; NaN = missing, counted in `n_missing`.
    level
        - `item`: one coefficient over all rows;
        - `group`: one coefficient per group (image), averaged over the groups in which it is defined;
        - `system`: rows averaged by system, one coefficient over the systems;
        - `global`: rows averaged by system and group, one coefficient over these cells.
    coefficient
        A name in `ALL_COEFFICIENTS`.
    groups, systems, raters
        Shape (n,): keys of each row's group (its image), system and rater; required by levels that use them and by
        intervals that resample images, systems or raters.
    interval, rng
        The interval to compute, and the source of randomness for a bootstrap.

    Raises
    ------
    CorrelationInputError
        Columns differ in length, or the keys or `rng` that the level or interval needs are missing.
    UnknownNameError
        The level or coefficient is unknown.

    Examples
    --------
    >>> correlate([1, 2, 2, 9], [1, 2, 3, float("nan")], level="item", coefficient="kendall-a")
    CorrelationResult(coefficient='kendall-a', level='item', value=0.6666666666666666, low=None, high=None, n=3, \
n_missing=1, reason=None, n_undefined=0, interval=None)
    """
    check_name("level", level, LEVELS)
    get_coefficient(coefficient)
    # Validating keys can take longer than computing the coefficient, so only keys that are needed are read.
    needed = KEYS_NEEDED[level] if interval is None else ("groups", "systems")
    keys = {"groups": groups, "systems": systems}
    for name, given in keys.items():
        if given is not None:
            check_length(name, np.shape(given)[0] if np.ndim(given) else 0, np.size(x), "x")
    rows, complete = prepare_observations(
        x, y, level=level, **{name: given if name in needed else None for name, given in keys.items()}
    )
    estimate = LEVELS[level](rows, coefficient)
    bounds = None
    if interval is not None:
        units = build_units(rows, complete, groups=groups, systems=systems, raters=raters)
        estimator = prepare_estimator(level, coefficient, rows, units)
        estimated = Estimated(coefficient, estimate.value, estimate.n, estimator, units)
        bounds = compute_interval(estimated, interval, rng=rng)
    return CorrelationResult(
        coefficient=coefficient,
        level=level,
        value=estimate.value,
        low=bounds.low if bounds else None,
        high=bounds.high if bounds else None,
        n=estimate.n,
        n_missing=int(len(complete) - complete.sum()),
        reason=estimate.reason,
        n_undefined=estimate.n_undefined,
        interval=bounds,
    )


def correlate_tables(x: ScoreTable, y: ScoreTable, *, level: str, coefficient: str) -> CorrelationResult:
    """Correlate two tables of the same systems and items, cell by cell; items are the groups.

    The keys of x determine the order; y is reordered and must contain all of them.

    >>> x = ScoreTable.build([[1, 2], [3, 4]], systems=["s", "t"], items=["a", "b"])
    >>> y = ScoreTable.build([[4, 3], [1, 2]], systems=["t", "s"], items=["b", "a"])
    >>> round(correlate_tables(x, y, level="system", coefficient="pearson").value, 12)
    1.0
    """
    aligned = y.align(systems=x.systems, items=x.items)
    return correlate(
        x.values.reshape(-1),
        aligned.values.reshape(-1),
        level=level,
        coefficient=coefficient,
        groups=np.tile(x.items, len(x.systems)),
        systems=np.repeat(x.systems, len(x.items)),
    )


def _estimate_at_item(rows: Observations, coefficient: str) -> _Estimate:
    value = get_coefficient(coefficient)(rows.x, rows.y)
    return _Estimate(
        value, len(rows.x), 0, explain_undefined(rows.x, rows.y, coefficient=coefficient) if isnan(value) else None
    )


def _estimate_at_group(rows: Observations, coefficient: str) -> _Estimate:
    values = correlate_groups(coefficient, rows.x, rows.y, rows.group)
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return _Estimate(nan, 0, len(values), f"undefined in all {len(values)} groups (too few rows or constant)")
    return _Estimate(float(defined.mean()), len(defined), len(values) - len(defined), None)


def _estimate_at_system(rows: Observations, coefficient: str) -> _Estimate:
    return _estimate_at_item(average_rows(rows, rows.system), coefficient)


def _estimate_at_global(rows: Observations, coefficient: str) -> _Estimate:
    cells = rows.system * (int(rows.group.max(initial=0)) + 1) + rows.group
    return _estimate_at_item(average_rows(rows, np.unique(cells, return_inverse=True)[1]), coefficient)


LEVELS: Mapping[str, Callable[[Observations, str], _Estimate]] = MappingProxyType(
    {
        "item": _estimate_at_item,
        "group": _estimate_at_group,
        "system": _estimate_at_system,
        "global": _estimate_at_global,
    }
)
