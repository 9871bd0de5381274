from itertools import product
from math import isnan

import numpy as np
import pytest

from correlation.comparison.soft_accuracy import soft_pairwise_accuracy
from correlation.errors import CorrelationInputError
from correlation.tables import ScoreTable

RNG = np.random.default_rng(14)
N_SYSTEMS, N_ITEMS = 4, 7
SCORES, JUDGMENTS = RNG.normal(size=(2, N_SYSTEMS, N_ITEMS)) + np.arange(N_SYSTEMS)[:, None] * 0.5


def build(values):
    return ScoreTable.build(values, systems=[f"s{k}" for k in range(len(values))], items=range(np.shape(values)[1]))


def run(x, y, n_resamples=4000, seed=0):
    return soft_pairwise_accuracy(build(x), build(y), n_resamples=n_resamples, rng=np.random.default_rng(seed))


def exact_p(lead):
    """One-sided p over all 2^n ways to swap two systems' scores item by item."""
    ways = np.array(list(product([-1, 1], repeat=len(lead))))
    return np.mean(ways @ lead >= lead.sum() - 1e-12)


def test_accuracy_approaches_that_of_exact_p_values():
    gaps = [
        abs(exact_p(SCORES[i] - SCORES[j]) - exact_p(JUDGMENTS[i] - JUDGMENTS[j]))
        for i in range(N_SYSTEMS)
        for j in range(i + 1, N_SYSTEMS)
    ]

    result = run(SCORES, JUDGMENTS)

    # Four standard errors of a share from 4,000 draws, doubled for a difference of two.
    assert result.value == pytest.approx(1 - np.mean(gaps), abs=8 * 0.5 / 4000**0.5)
    assert (result.n_pairs, result.n_items, result.n_missing) == (6, 7, 0)


def test_a_metric_with_reversed_ranks_has_the_lowest_accuracy():
    certain = np.outer([0, 5, 10], np.ones(12)) + RNG.normal(size=(3, 12)) * 0.01

    assert run(certain, certain).value == 1
    assert run(3 * certain + 1, certain).value == pytest.approx(1, abs=1e-12)
    assert run(-certain, certain).value < 0.01


def test_incomplete_items_are_counted():
    gaps = SCORES.copy()
    gaps[0, 2] = np.nan

    result = run(gaps, JUDGMENTS)

    assert (result.n_items, result.n_missing) == (6, 1)
    assert result.value == run(np.delete(SCORES, 2, 1), np.delete(JUDGMENTS, 2, 1)).value


@pytest.mark.parametrize("values", [[[1.0, 2.0]], [[np.nan], [1.0]]])
def test_nothing_to_compare_is_undefined(values):
    result = run(values, values)

    assert isnan(result.value)
    assert result.reason is not None


def test_refuses_no_resamples():
    with pytest.raises(CorrelationInputError, match="`n_resamples` must be at least 1, got 0"):
        run(SCORES, JUDGMENTS, n_resamples=0)
