import json

import numpy as np
import pytest

from correlation.agreement.dawid_skene import fit_dawid_skene
from correlation.agreement.item_ratings import ItemRatings
from tests.correlation.shared_data import GOLDEN

CROWD = json.loads((GOLDEN / "crowd_aggregation.json").read_text())
RATINGS = ItemRatings.build(item=CROWD["item"], rater=CROWD["rater"], value=CROWD["value"])


# crowd-kit 1.4.2 is the oracle.
def test_posterior_equals_crowd_kit():
    result = fit_dawid_skene(RATINGS, tolerance=1e-15)

    assert result.converged
    np.testing.assert_allclose(result.posterior, CROWD["dawid_skene"], rtol=0, atol=1e-9)


def test_each_iteration_raises_the_likelihood():
    likelihoods = [fit_dawid_skene(RATINGS, n_iterations=k).log_likelihood for k in range(1, 12)]

    assert likelihoods == sorted(likelihoods)
    assert not fit_dawid_skene(RATINGS, n_iterations=2).converged


# One step by hand. Shares of levels: item 0 (2/3, 1/3), item 1 (0, 1); prior (1/3, 2/3). Rater c always said 2.
# Raters a and b said 1 of item 0 and 2 of item 1: where 2 is true they said 1 with (1/3) / (4/3) = 1/4.
# Item 0: level 1 has 1/3 * 1 * 1 * 1, level 2 has 2/3 * 1/4 * 1/4 * 1, so 8 : 1. Item 1 cannot be level 1.
def test_one_iteration_by_hand():
    ratings = ItemRatings.build(item=[0, 0, 0, 1, 1, 1], rater=list("abcabc"), value=[1, 1, 2, 2, 2, 2])

    result = fit_dawid_skene(ratings, n_iterations=1)

    np.testing.assert_allclose(result.prior, [1 / 3, 2 / 3], atol=1e-9)
    np.testing.assert_allclose(result.confusion[0], [[1, 0], [1 / 4, 3 / 4]], atol=1e-9)
    np.testing.assert_allclose(result.posterior, [[8 / 9, 1 / 9], [0, 1]], atol=1e-9)


def test_fitted_parameters_equal_the_simulated_ones():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 3000)
    right = np.array([0.95, 0.8, 0.6])
    answers = np.where(rng.random((3000, 3)) < right, truth[:, None], 1 - truth[:, None])
    item, rater = np.indices(answers.shape)
    ratings = ItemRatings.build(item=item.reshape(-1), rater=rater.reshape(-1), value=answers.reshape(-1))

    result = fit_dawid_skene(ratings)

    found = result.confusion[:, [0, 1], [0, 1]].mean(axis=1)
    assert found == pytest.approx(right, abs=0.04)
