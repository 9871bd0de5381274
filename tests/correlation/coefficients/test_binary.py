"""Tests of the coefficients for judgments of two values: point-biserial correlation and area under the ROC curve."""

from math import isnan, sqrt

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from correlation.coefficients.bivariate import BINARY_COEFFICIENTS, area_under_curve, explain_undefined, point_biserial
from correlation.coefficients.grouped import correlate_groups
from correlation.coefficients.weighted import prepare_weighted
from correlation.correlate import correlate
from correlation.resampling.counts import BootstrapPlan, Units
from correlation.resampling.joint import arrange_jointly

ROWS = st.lists(st.tuples(st.integers(-3, 3), st.booleans(), st.integers(0, 3), st.integers(0, 3)), min_size=1)


def repeat(x, y, weights):
    copies = weights.astype(int)
    return np.repeat(x, copies), np.repeat(y, copies)


# By hand: means 3 and 4/3, n1 n0 / n^2 = 6/25, and the squared deviations from 2 add up to 6.
def test_point_biserial_by_hand():
    assert point_biserial([1, 1, 2, 2, 4], [0, 0, 0, 1, 1]) == pytest.approx((3 - 4 / 3) / sqrt(6 / 5) * sqrt(6) / 5)


# By hand: of the 6 pairs, (2, 1) and (2, 1) and the three of score 4 are in order, and (2, 2) is half in order.
def test_auc_counts_ties_half():
    assert area_under_curve([1, 1, 2, 2, 4], [0, 0, 0, 1, 1]) == 5.5 / 6


def test_auc_of_a_constant_score_is_chance():
    assert area_under_curve([3, 3, 3], [0, 1, 1]) == 0.5
    assert correlate([3, 3, 3], [0, 1, 1], level="item", coefficient="auc").value == 0.5


# SciPy 1.17: U of the larger sample, and pointbiserialr.
@given(rows=ROWS)
def test_values_are_those_of_scipy(rows):
    x, y, *_ = np.array(rows, dtype=float).T
    if len(np.unique(y)) < 2:
        assert isnan(area_under_curve(x, y))
        assert isnan(point_biserial(x, y))
        return
    upper, lower = x[y == 1], x[y == 0]
    assert area_under_curve(x, y) == pytest.approx(
        scipy.stats.mannwhitneyu(upper, lower).statistic / (len(upper) * len(lower)), abs=1e-12
    )
    if len(np.unique(x)) > 1:
        assert point_biserial(x, y) == pytest.approx(scipy.stats.pointbiserialr(y, x).statistic, abs=1e-12)


def test_auc_is_that_of_sklearn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(3)
    y = rng.integers(2, size=500)
    for x in (rng.normal(size=500) + y, rng.integers(4, size=500) + y):
        assert area_under_curve(x, y) == pytest.approx(metrics.roc_auc_score(y, x), abs=1e-12)


def test_auc_of_ordered_judgments_is_the_share_of_ordered_pairs():
    # The pairs (1, 2), (1, 3), (2, 3) of judgments: two in order, one tied.
    assert area_under_curve([0.1, 0.2, 0.2], [1, 2, 3]) == 2.5 / 3


def test_point_biserial_needs_two_values_and_says_so():
    result = correlate([1, 2, 3], [1, 2, 3], level="item", coefficient="point-biserial")

    assert isnan(result.value)
    assert result.reason == "the judgments have 3 different values, point-biserial needs 2"
    assert explain_undefined([1, 2, 3], [1, 2, 2], coefficient="point-biserial") is None


@pytest.mark.parametrize("name", BINARY_COEFFICIENTS)
def test_larger_scores_for_true_captions_are_more_agreement(name):
    values = [BINARY_COEFFICIENTS[name](x, [0, 0, 1, 1]) for x in ([4, 3, 2, 1], [1, 3, 2, 4], [1, 2, 3, 4])]

    assert values == sorted(set(values))


@pytest.mark.parametrize("name", BINARY_COEFFICIENTS)
@given(rows=ROWS)
def test_weights_are_copies(name, rows):
    x, y, *weights = np.array(rows, dtype=float).T

    values = prepare_weighted(name, x, y)(np.array(weights))

    expected = [BINARY_COEFFICIENTS[name](*repeat(x, y, row)) for row in weights]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", BINARY_COEFFICIENTS)
def test_groups_are_computed_as_one_by_one(name):
    rng = np.random.default_rng(20)
    group = np.repeat(np.arange(40), rng.integers(1, 9, size=40))
    x, y = rng.integers(4, size=len(group)) / 7, rng.integers(2, size=len(group)).astype(float)

    expected = [BINARY_COEFFICIENTS[name](x[group == each], y[group == each]) for each in range(40)]
    np.testing.assert_allclose(correlate_groups(name, x, y, group), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", BINARY_COEFFICIENTS)
def test_many_metrics_are_resampled_as_one_by_one(name):
    rng = np.random.default_rng(1)
    image = np.repeat(np.arange(30), 4)
    scores = np.stack([np.repeat(rng.normal(size=30), 4), np.repeat(rng.integers(5, size=30), 4)])
    truth = rng.integers(2, size=120).astype(float)
    units = Units.build(images=image)

    estimate = arrange_jointly(name, scores, truth, units).prepare()

    for counts in BootstrapPlan(("images",), 5, 9).iterate(units):
        drawn = [np.repeat(np.arange(120), row.astype(int)) for row in units.weigh(counts)]
        expected = [[BINARY_COEFFICIENTS[name](x[rows], truth[rows]) for rows in drawn] for x in scores]
        np.testing.assert_allclose(estimate(counts), expected, rtol=0, atol=1e-12)


def test_resamples_of_more_than_two_values_are_undefined():
    x, y = np.repeat([1.0, 2, 3], 2), np.repeat([1.0, 2, 3], 2)

    assert np.isnan(prepare_weighted("point-biserial", x, y)(np.ones((2, 6)))).all()
    joint = arrange_jointly("point-biserial", x[None], y, Units.build(rows=np.arange(6)))
    assert joint is not None
    assert np.isnan(joint.prepare()({"rows": np.ones((2, 6))})).all()
    assert np.isnan(correlate_groups("point-biserial", x, y, np.zeros(6, dtype=np.int64))).all()
