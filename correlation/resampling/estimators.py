"""Coefficients at each level as functions of the counts of drawn images, raters and systems.

There is one estimator per level, which takes counts of units and returns one value per resample. At group level, an
image enters the average as often as it was drawn, while raters and systems are repeated within the image. At system
level, a system's mean is taken over the drawn images and raters, and the system counts as often as it was drawn.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.coefficients.bivariate import get_coefficient
from correlation.coefficients.weighted import prepare_weighted
from correlation.observations import Observations, encode_keys
from correlation.resampling.counts import Units
from correlation.validation import BoolArray, FloatArray, IntArray

# Takes counts per axis, each (n_resamples, n_units); returns values (n_resamples,), NaN where undefined.
Estimator = Callable[[Mapping[str, FloatArray]], FloatArray]


def prepare_estimator(level: str, coefficient: str, rows: Observations, units: Units) -> Estimator:
    """Prepare the estimator at a level for many resamples of the same rows."""
    return ESTIMATORS[level](coefficient, rows, units)


def build_units(
    rows: Observations,
    complete: BoolArray,
    *,
    groups: ArrayLike | None,
    systems: ArrayLike | None,
    raters: ArrayLike | None,
) -> Units:
    """Return the units of the complete rows for the axes with keys; on the axis `rows` every row is a unit."""
    codes = {"rows": np.arange(len(rows.x))}
    if groups is not None:
        codes["images"] = rows.group
    if systems is not None:
        codes["systems"] = rows.system
    if raters is not None:
        codes["raters"] = encode_keys("raters", raters, complete)
    return Units.build(**codes)


def _prepare_item(coefficient: str, rows: Observations, units: Units) -> Estimator:
    # Sorted, so that sums over equal (x, y) access memory sequentially.
    order = np.lexsort((rows.x, rows.y))
    evaluate = prepare_weighted(coefficient, rows.x[order], rows.y[order])
    ordered = units.reorder(order)
    return lambda counts: evaluate(ordered.weigh(counts))


def _prepare_group(coefficient: str, rows: Observations, units: Units) -> Estimator:
    order = np.argsort(rows.group, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(rows.group))[:-1]) if len(order) else []
    prepared = [prepare_weighted(coefficient, rows.x[m], rows.y[m]) for m in members]
    fixed = np.array([evaluate(np.ones((1, len(m))))[0] for evaluate, m in zip(prepared, members, strict=True)])

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        inside = {axis: drawn for axis, drawn in counts.items() if axis != "images"}
        n_resamples = len(next(iter(counts.values())))
        if inside:
            weights = units.weigh(inside)
            pairs = zip(prepared, members, strict=True)
            values = np.stack([evaluate(weights[:, m]) for evaluate, m in pairs], axis=1)
        else:
            values = np.broadcast_to(fixed, (n_resamples, len(fixed)))
        drawn = counts.get("images", np.ones((n_resamples, len(members))))
        defined = np.where(np.isnan(values), 0.0, drawn)
        with np.errstate(invalid="ignore"):
            means: FloatArray = np.nansum(values * drawn, axis=1) / defined.sum(axis=1)
        return means

    return estimate


def _prepare_system(coefficient: str, rows: Observations, units: Units) -> Estimator:
    return _prepare_cells(coefficient, rows, units, rows.system, ("systems",))


def _prepare_global(coefficient: str, rows: Observations, units: Units) -> Estimator:
    cells = rows.system * (int(rows.group.max(initial=0)) + 1) + rows.group
    return _prepare_cells(coefficient, rows, units, np.unique(cells, return_inverse=True)[1], ("systems", "images"))


def prepare_pooled(coefficient: str, rows: Observations, units: Units, cell: IntArray) -> Estimator:
    """Correlate items with the mean of their judgments as target, recomputed in each resample.

    The rows are judgments, and `cell` is the item of each as codes 0 .. k - 1. Images and systems repeat items; raters
    weight the judgments within items.
    """
    return _prepare_cells(coefficient, rows, units, cell, ("images", "systems"))


def _prepare_cells(
    coefficient: str, rows: Observations, units: Units, cell: IntArray, repeated: tuple[str, ...]
) -> Estimator:
    """Average rows by cell, then correlate the cells; the axes in `repeated` repeat cells, others weight their rows."""
    compute = get_coefficient(coefficient)
    n_cells = int(cell.max(initial=-1)) + 1
    first_row = np.zeros(n_cells, dtype=np.int64)
    first_row[cell[::-1]] = np.arange(len(cell))[::-1]

    def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
        n_resamples = len(next(iter(counts.values())))
        weights, times = (
            units.weigh(part) if part else np.ones((n_resamples, len(cell)))
            for part in (
                {axis: drawn for axis, drawn in counts.items() if axis not in repeated},
                {axis: drawn for axis, drawn in counts.items() if axis in repeated},
            )
        )
        values = np.empty(n_resamples)
        for r in range(n_resamples):
            total, sum_x, sum_y = (
                np.bincount(cell, weights=column, minlength=n_cells)
                for column in (weights[r], weights[r] * rows.x, weights[r] * rows.y)
            )
            copies = np.where(total > 0, times[r][first_row], 0).astype(np.int64)
            total[total == 0] = 1
            values[r] = compute(np.repeat(sum_x / total, copies), np.repeat(sum_y / total, copies))
        return values

    return estimate


ESTIMATORS: Mapping[str, Callable[[str, Observations, Units], Estimator]] = MappingProxyType(
    {"item": _prepare_item, "group": _prepare_group, "system": _prepare_system, "global": _prepare_global}
)
