"""Correlate many metrics with the same judgments: the item-level table of a large study in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from math import isnan, nan

import numpy as np
from numpy.typing import ArrayLike

from correlation.correlate import CorrelationResult, correlate
from correlation.estimators import build_units
from correlation.intervals import Interval, IntervalRequest, bound_resamples
from correlation.joint import prepare_joint
from correlation.observations import prepare_observations
from correlation.resampling import plan_bootstrap
from correlation.validation import FloatArray, as_floats


def correlate_metrics(
    scores: Mapping[str, ArrayLike],
    judgments: ArrayLike,
    *,
    level: str,
    coefficient: str,
    groups: ArrayLike | None = None,
    systems: ArrayLike | None = None,
    raters: ArrayLike | None = None,
    interval: IntervalRequest | None = None,
    rng: np.random.Generator | None = None,
) -> dict[str, CorrelationResult]:
    """Correlate every metric, each on the rows that it has scores for.

    The results are those of `correlate` for each metric with a generator in the state of `rng`, but for rounding: all
    metrics see the same resamples. Percentile intervals at item level, of a few levels of judgment, are made for all
    metrics at once: a million judgments and 20 metrics take seconds instead of minutes.

    Parameters
    ----------
    scores
        For each metric a column of shape (n,); NaN = missing.
    judgments, level, coefficient, groups, systems, raters, interval, rng
        As in `correlate`, which also raises the errors.

    Examples
    --------
    >>> results = correlate_metrics(
    ...     {"good": [1, 2, 3, 4], "poor": [2, 1, 2, float("nan")]}, [1, 2, 3, 4], level="item", coefficient="spearman"
    ... )
    >>> {name: (round(result.value, 3), result.n) for name, result in results.items()}
    {'good': (1.0, 4), 'poor': (0.0, 3)}
    """
    columns = {name: as_floats(f"scores[{name!r}]", column) for name, column in scores.items()}
    target = as_floats("judgments", judgments)

    def correlate_one(name: str, request: IntervalRequest | None) -> CorrelationResult:
        return correlate(
            columns[name],
            target,
            level=level,
            coefficient=coefficient,
            groups=groups,
            systems=systems,
            raters=raters,
            interval=request,
            rng=deepcopy(rng),
        )

    if interval is None or interval.method != "percentile" or level != "item" or rng is None:
        return {name: correlate_one(name, interval) for name in columns}
    results = {}
    for names in _share_rows(columns):
        table = np.stack([columns[name] for name in names])
        samples = _resample(table, target, coefficient, interval, rng, groups=groups, systems=systems, raters=raters)
        for row, name in enumerate(names):
            if samples is None:
                results[name] = correlate_one(name, interval)
            else:
                results[name] = _bound(correlate_one(name, None), samples[row], interval)
    return {name: results[name] for name in columns}


def _share_rows(columns: Mapping[str, FloatArray]) -> list[list[str]]:
    """Names of metrics, those together that lack scores of the same rows."""
    shared: dict[bytes, list[str]] = {}
    for name, column in columns.items():
        shared.setdefault(np.packbits(np.isnan(column)).tobytes(), []).append(name)
    return list(shared.values())


def _resample(
    scores: FloatArray,
    judgments: FloatArray,
    coefficient: str,
    interval: IntervalRequest,
    rng: np.random.Generator,
    *,
    groups: ArrayLike | None,
    systems: ArrayLike | None,
    raters: ArrayLike | None,
) -> FloatArray | None:
    """Values (n_metrics, n_resamples), or None where they cannot be made together."""
    rows, complete = prepare_observations(scores[0], judgments, level="item", groups=groups, systems=systems)
    units = build_units(rows, complete, groups=groups, systems=systems, raters=raters)
    if any(axis not in units.codes for axis in interval.resampled):
        return None
    estimate = prepare_joint(coefficient, scores[:, complete], rows.y, units)
    if estimate is None:
        return None
    plan = plan_bootstrap(interval.resampled, n_resamples=interval.n_resamples, rng=deepcopy(rng))
    return np.concatenate([estimate(counts) for counts in plan.iterate(units)], axis=1)


def _bound(result: CorrelationResult, sample: FloatArray, request: IntervalRequest) -> CorrelationResult:
    bounds = Interval(nan, nan, request) if isnan(result.value) else bound_resamples(sample, request)
    return replace(result, low=bounds.low, high=bounds.high, interval=bounds)
