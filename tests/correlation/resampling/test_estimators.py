"""Tests that every level under resampling equals `correlate` on explicitly repeated rows."""

from math import nan

import numpy as np
import pytest

from correlation.correlate import correlate
from correlation.observations import prepare_observations
from correlation.resampling.counts import BootstrapPlan
from correlation.resampling.estimators import build_units, prepare_estimator

RNG = np.random.default_rng(12)
N_IMAGES, N_SYSTEMS, N_RATERS = 6, 4, 3
IMAGE, SYSTEM, RATER = (axis.reshape(-1) for axis in np.indices((N_IMAGES, N_SYSTEMS, N_RATERS)))
# Multiples of 1/8: sums are exact, so that rounding makes or breaks no tie between means.
X = np.round(RNG.normal(size=(N_IMAGES, N_SYSTEMS)) * 8)[IMAGE, SYSTEM] / 8
Y = np.clip(np.round(X + RNG.normal(size=len(X))), -1, 2)
AXES = [("images",), ("raters",), ("systems",), ("images", "raters"), ("images", "systems", "raters")]


def write_out(counts, level, coefficient):
    """Repeat images, systems and raters row by row, each copy of an image or a system being another one."""
    rows = [
        (row, f"{IMAGE[row]}.{i}", f"{SYSTEM[row]}.{s}")
        for row in range(len(X))
        for i in range(int(counts.get("images", np.ones(N_IMAGES))[IMAGE[row]]))
        for s in range(int(counts.get("systems", np.ones(N_SYSTEMS))[SYSTEM[row]]))
        for _ in range(int(counts.get("raters", np.ones(N_RATERS))[RATER[row]]))
    ]
    index = [row for row, _, _ in rows]
    groups, systems = [g for _, g, _ in rows], [s for _, _, s in rows]
    return correlate(X[index], Y[index], level=level, coefficient=coefficient, groups=groups, systems=systems).value


@pytest.mark.parametrize("axes", AXES, ids="+".join)
@pytest.mark.parametrize("coefficient", ["kendall-c", "pearson", "spearman"])
@pytest.mark.parametrize("level", ["item", "group", "system", "global"])
def test_resampled_estimates(level, coefficient, axes):
    rows, complete = prepare_observations(X, Y, level=level, groups=IMAGE, systems=SYSTEM)
    units = build_units(rows, complete, groups=IMAGE, systems=SYSTEM, raters=RATER)
    estimator = prepare_estimator(level, coefficient, rows, units)
    plan = BootstrapPlan(axes, 12, 7)

    values = np.concatenate([estimator(counts) for counts in plan.iterate(units)])

    drawn = {axis: plan.draw_counts(axis, units.sizes[axis], start=0, stop=12) for axis in axes}
    expected = [write_out({axis: drawn[axis][r] for axis in axes}, level, coefficient) for r in range(12)]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


def test_units_exist_for_given_keys_and_rows():
    rows, complete = prepare_observations([1, nan, 3], [1, 2, 3], level="item", groups=None, systems=None)

    units = build_units(rows, complete, groups=None, systems=None, raters=["ann", "bob", "cem"])

    assert units.sizes == {"rows": 2, "raters": 2}
