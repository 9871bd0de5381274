"""Tests of coefficients of many metrics in the same resamples; see also test_correlate_metrics.py."""

import numpy as np
import pytest
import scipy.stats

from correlation.resampling import joint
from correlation.resampling.counts import BootstrapPlan, Units
from correlation.resampling.joint import arrange_jointly

N_ITEMS, PER_ITEM = 30, 4


# SciPy 1.17 on the repeated rows.
@pytest.mark.parametrize(
    ("coefficient", "oracle"),
    [
        ("pearson", lambda x, y: scipy.stats.pearsonr(x, y)[0]),
        ("spearman", lambda x, y: scipy.stats.spearmanr(x, y)[0]),
        ("kendall-b", lambda x, y: scipy.stats.kendalltau(x, y)[0]),
        ("kendall-c", lambda x, y: scipy.stats.kendalltau(x, y, variant="c")[0]),
    ],
)
def test_values_are_those_of_the_repeated_rows(coefficient, oracle):
    rng = np.random.default_rng(1)
    scores = np.repeat(np.stack([rng.normal(size=N_ITEMS), rng.integers(5, size=N_ITEMS)]), PER_ITEM, axis=1)
    judgments = rng.integers(1, 5, size=N_ITEMS * PER_ITEM).astype(float)
    item, rater = (axis.reshape(-1) for axis in np.indices((N_ITEMS, PER_ITEM)))
    units = Units.build(images=item, raters=rater)
    plan = BootstrapPlan(("images", "raters"), 6, 9)

    estimate = arrange_jointly(coefficient, scores, judgments, units).prepare()

    for counts in plan.iterate(units):
        drawn = [np.repeat(np.arange(len(item)), row.astype(int)) for row in units.weigh(counts)]
        expected = [[oracle(x[rows], judgments[rows]) for rows in drawn] for x in scores]
        np.testing.assert_allclose(estimate(counts), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("axes", [("images",), ("images", "raters")])
@pytest.mark.parametrize("coefficient", ["pearson", "kendall-b"])
def test_resamples_of_few_units_that_repeat_have_the_same_values(monkeypatch, coefficient, axes):
    rng = np.random.default_rng(2)
    scores = np.repeat(np.stack([rng.normal(size=4), [1.0, 2.0, 2.0, 3.0]]), 5, axis=1)
    item, rater = (axis.reshape(-1) for axis in np.indices((4, 5)))
    rows = arrange_jointly(
        coefficient, scores, rng.integers(1, 4, size=20).astype(float), Units.build(images=item, raters=rater)
    )
    plan, sizes = BootstrapPlan(axes, 60, 9), {"images": 4, "raters": 5}
    counts = {axis: plan.draw_counts(axis, sizes[axis], start=0, stop=60) for axis in axes}

    estimate = rows.prepare()
    # The second call repeats what the first one drew.
    values = [estimate({axis: drawn[part] for axis, drawn in counts.items()}) for part in (slice(30), slice(30, 60))]

    monkeypatch.setattr(joint, "MOST_UNITS_REMEMBERED", 0)
    np.testing.assert_array_equal(np.concatenate(values, axis=1), rows.prepare()(counts))


def test_rows_that_share_nothing_are_not_done_together():
    rng = np.random.default_rng(0)
    units = Units.build(rows=np.arange(50))

    assert arrange_jointly("pearson", rng.normal(size=(2, 50)), rng.normal(size=50), units) is None


def test_no_rows_are_not_done_together():
    assert arrange_jointly("pearson", np.empty((2, 0)), np.empty(0), Units.build()) is None
