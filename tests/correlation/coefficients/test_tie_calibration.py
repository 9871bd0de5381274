from math import isnan, nan

import numpy as np
import pytest

from correlation.coefficients.tie_calibration import calibrate_ties
from correlation.errors import CorrelationInputError


def run(x, y, groups, n_folds=2, seed=0):
    return calibrate_ties(x, y, groups=groups, n_folds=n_folds, rng=np.random.default_rng(seed))


def accuracy(x, y, groups, threshold):
    """Pair by pair, averaged over groups: the definition of Deutsch et al. (2023), section 4."""
    shares = []
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        worth = []
        for k, i in enumerate(rows):
            for j in rows[:k]:
                metric = 0 if abs(x[i] - x[j]) <= threshold else np.sign(x[i] - x[j])
                worth.append(metric == np.sign(y[i] - y[j]))
        if worth:
            shares.append(np.mean(worth))
    return np.mean(shares)


@pytest.mark.parametrize("seed", range(4))
def test_values_equal_the_definition(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, 60)
    y = rng.integers(1, 4, 60).astype(float)
    x = y + rng.normal(size=60)

    result = run(x, y, groups, n_folds=4)

    candidates = np.unique([0, *np.abs(np.subtract.outer(x, x)).reshape(-1)])
    best = max(accuracy(x, y, groups, threshold) for threshold in candidates)
    assert result.uncalibrated_value == pytest.approx(accuracy(x, y, groups, 0), abs=1e-12)
    assert result.in_sample_value == pytest.approx(best, abs=1e-12)
    assert accuracy(x, y, groups, result.in_sample_threshold) == pytest.approx(best, abs=1e-12)
    assert result.uncalibrated_value <= result.in_sample_value
    assert result.value <= result.in_sample_value + 1e-12
    assert len(result.thresholds) == 4


# Where the tie threshold means nothing, choosing it on the same images still finds something; cross-fitting does not.
def test_cross_fitting_takes_back_what_the_threshold_learned_by_heart():
    rng = np.random.default_rng(2)
    gains = []
    for _ in range(60):
        groups, y, x = np.arange(45) // 3, rng.permutation(45).astype(float), rng.normal(size=45)
        y[::3] = y[1::3]
        result = run(x, y, groups, n_folds=5)
        gains.append(result.in_sample_value - result.value)

    assert np.mean(gains) > 0.02


def test_a_single_distance_shared_by_many_pairs_is_taken_in_whole():
    result = run([0, 1, 0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 1, 1, 1, 2], [1, 1, 2, 2, 3, 3, 4, 4])

    assert (result.in_sample_threshold, result.in_sample_value) == (1.0, 0.75)


def test_missing_rows_and_lone_rows_are_counted():
    result = run([1, nan, 2, 3, 4, 5, 6], [1, 2, 2, 1, 2, 1, 2], ["a", "a", "b", "b", "c", "c", "d"])

    assert (result.n_missing, result.n_groups, result.n_pairs) == (1, 2, 2)


def test_too_few_groups_are_undefined():
    result = run([1, 2], [1, 2], ["a", "a"])

    assert isnan(result.value)
    assert result.reason == "1 group(s) have a pair, 2 folds need as many"


def test_one_fold_is_refused():
    with pytest.raises(CorrelationInputError, match="`n_folds` must be at least 2, got 1"):
        run([1, 2], [1, 2], ["a", "a"], n_folds=1)
