import json

import numpy as np

from correlation.agreement.item_ratings import ItemRatings
from correlation.agreement.mace import fit_mace
from tests.correlation.shared_data import GOLDEN

CROWD = json.loads((GOLDEN / "crowd_aggregation.json").read_text())


# crowd-kit 1.4.2 (random start, 200 iterations) is the oracle.
def test_posterior_equals_crowd_kit():
    ratings = ItemRatings.build(item=CROWD["item"], rater=CROWD["rater"], value=CROWD["value"])

    result = fit_mace(ratings)

    assert result.converged
    np.testing.assert_allclose(result.posterior, CROWD["mace"], rtol=0, atol=1e-8)


def test_a_rater_with_constant_answers_is_detected():
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 5, 200)
    answers = np.stack([truth, truth, np.where(rng.random(200) < 0.8, truth, 1), np.ones(200, int)], axis=1)
    item, rater = np.indices(answers.shape)
    ratings = ItemRatings.build(item=item.reshape(-1), rater=rater.reshape(-1), value=answers.reshape(-1))

    result = fit_mace(ratings)

    assert result.posterior.argmax(axis=1).tolist() == (truth - 1).tolist()
    assert result.competence[0] > result.competence[2] > result.competence[3]
    assert result.competence[0] > 0.95


def test_the_iterations_may_end_before_it_converges():
    ratings = ItemRatings.build(item=CROWD["item"], rater=CROWD["rater"], value=CROWD["value"])

    result = fit_mace(ratings, n_iterations=3)

    assert (result.n_iterations, result.converged) == (3, False)
