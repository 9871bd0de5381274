"""Tests that tables of weights equal the sums of the weights of rows."""

import numpy as np
import pytest

from correlation.resampling.counts import BootstrapPlan, Units
from correlation.resampling.cross_tables import TABLES_AT_ONCE, CellUnits

N_ITEMS, PER_ITEM, N_LEVELS = 20, 5, 3


@pytest.mark.parametrize(
    "axes",
    [("images",), ("raters",), ("images", "raters"), ("raters", "rows"), ("images", "raters", "rows")],
    ids="+".join,
)
def test_cells_hold_the_weights_of_their_rows(axes):
    rng = np.random.default_rng(2)
    item, rater = (axis.reshape(-1) for axis in np.indices((N_ITEMS, PER_ITEM)))
    level = rng.integers(N_LEVELS, size=len(item))
    units = Units.build(images=item // 2, raters=rater, rows=np.arange(len(item)))
    plan = BootstrapPlan(axes, TABLES_AT_ONCE + 3, 5)
    counts = {axis: plan.draw_counts(axis, units.sizes[axis], start=0, stop=plan.n_resamples) for axis in axes}

    cells = CellUnits.build(item, level, N_ITEMS, N_LEVELS, units)

    expected = np.zeros((plan.n_resamples, N_ITEMS, N_LEVELS))
    for row, weights in enumerate(units.weigh(counts)):
        np.add.at(expected[row], (item, level), weights)
    np.testing.assert_array_equal(list(cells.tabulate(counts)), expected)


def test_units_of_whole_cells_are_kept_once():
    units = Units.build(images=np.array([0, 0, 1, 1]), raters=np.array([0, 1, 0, 1]))

    cells = CellUnits.build(np.array([0, 0, 1, 1]), np.zeros(4, dtype=np.int64), 2, 1, units)

    assert {axis: code.tolist() for axis, code in cells.shared.items()} == {"images": [0, 1]}
    assert list(cells.rows.codes) == ["raters"]
