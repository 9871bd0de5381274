"""Tests of the agreement of judgments with truth, by hand and against scikit-learn."""

from math import isnan

import numpy as np
import pytest

from correlation.agreement.truth import compare_with_truth
from correlation.errors import CorrelationInputError


def compare(judged, truth, image=None, seed=0, n_resamples=200):
    return compare_with_truth(
        judged,
        truth,
        image=np.arange(len(judged)) if image is None else image,
        rng=np.random.default_rng(seed),
        n_resamples=n_resamples,
    )


# By hand: 7 of 10 equal; judged 1 in 6, true in 5 of 10: e = .6 * .5 + .4 * .5 = .5, kappa = (.7 - .5) / .5.
def test_accuracy_and_kappa_by_hand():
    found = compare([1, 1, 1, 1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0, 1, 0, 0, 0])

    assert found.accuracy == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert (found.n, found.n_images) == (10, 10)


def test_values_are_those_of_sklearn():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    truth = rng.integers(2, size=300)
    judged = np.where(rng.random(300) < 0.8, truth, 1 - truth)

    found = compare(judged, truth)

    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(judged, truth), abs=1e-12)
    assert found.accuracy == pytest.approx(metrics.accuracy_score(truth, judged), abs=1e-12)


def test_interval_resamples_whole_images():
    truth = np.tile([0, 1], 50)
    judged = np.where(np.arange(100) < 80, truth, 1 - truth)
    image = np.arange(100) // 10

    found = compare(judged, truth, image=image, n_resamples=400)
    apart = compare(judged, truth, n_resamples=400)

    # Two of the ten images are wrong throughout: the standard deviation is sqrt(.8 * .2 / 10), not sqrt(.8 * .2 / 100).
    assert found.accuracy == apart.accuracy == pytest.approx(0.8)
    width = found.accuracy_bounds[1] - found.accuracy_bounds[0]
    assert width == pytest.approx(2 * 1.96 * np.sqrt(0.016), rel=0.2)
    assert width > 2 * (apart.accuracy_bounds[1] - apart.accuracy_bounds[0])
    assert found.kappa_bounds[0] < found.kappa < found.kappa_bounds[1]


def test_undefined_values():
    constant = compare([1, 1], [1, 1])
    assert constant.accuracy == 1.0
    assert isnan(constant.kappa)
    assert all(map(isnan, constant.kappa_bounds))
    assert isnan(compare([], []).accuracy)


@pytest.mark.parametrize(
    ("judged", "truth", "message"),
    [([0, 2], [0, 1], "`judged` must be 0 or 1, got 2"), ([0, 1], [0, 0.5], "`truth` must be 0 or 1, got 0.5")],
)
def test_other_values_are_refused(judged, truth, message):
    with pytest.raises(CorrelationInputError, match=message):
        compare(judged, truth)
