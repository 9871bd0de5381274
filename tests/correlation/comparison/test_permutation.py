from itertools import product

import numpy as np
import pytest

from correlation.comparison.permutation import PermutationPlan, count_extremes, permute_difference, standardise
from correlation.correlate import LEVELS, correlate
from correlation.observations import Observations

RNG = np.random.default_rng(31)
N_SYSTEMS, N_IMAGES, N_RATERS = 4, 5, 2
SYSTEM, IMAGE, RATER = (axis.reshape(-1) for axis in np.indices((N_SYSTEMS, N_IMAGES, N_RATERS)))
CELL = SYSTEM * N_IMAGES + IMAGE
A, B = (RNG.normal(size=N_SYSTEMS * N_IMAGES)[CELL] for _ in range(2))
Y = np.clip(np.round(A + RNG.normal(size=len(A)) + 2), 1, 4)
ROWS = Observations(x=A, y=Y, group=IMAGE, system=SYSTEM)


def difference(swapped, level, coefficient):
    """Swap row by row and correlate anew: the definition of Deutsch et al. (2021), algorithm 2."""
    a, b = (column - column.mean() for column in (A, B))
    a, b = a / a.std(), b / b.std()
    first, second = np.where(swapped, b, a), np.where(swapped, a, b)
    values = [
        correlate(x, Y, level=level, coefficient=coefficient, groups=IMAGE, systems=SYSTEM).value
        for x in (first, second)
    ]
    return values[0] - values[1]


@pytest.mark.parametrize("unit", [CELL, IMAGE, SYSTEM], ids=["both", "input", "system"])
@pytest.mark.parametrize("coefficient", ["kendall-c", "kendall-b", "pearson", "spearman"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_permutation_equals_the_definition(level, coefficient, unit):
    plan = PermutationPlan(15, 3)

    values = permute_difference(ROWS, B, level=level, coefficient=coefficient, unit=unit, plan=plan)

    swaps = plan.draw_swaps(unit.max() + 1, start=0, stop=15)[:, unit]
    expected = [difference(swapped, level, coefficient) for swapped in swaps]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


# With 4 systems there are 16 ways to swap: the p-value of all of them is what random permutations approach.
@pytest.mark.parametrize("level", ["item", "system"])
def test_p_approaches_the_exact_one(level):
    observed = difference(np.zeros(len(A), dtype=bool), level, "pearson")
    exact = np.mean(
        [
            abs(difference(np.array(ways)[SYSTEM], level, "pearson")) >= abs(observed) - 1e-12
            for ways in product([False, True], repeat=N_SYSTEMS)
        ]
    )

    values = permute_difference(ROWS, B, level=level, coefficient="pearson", unit=SYSTEM, plan=PermutationPlan(4000, 5))

    # Four standard errors of a share from 4,000 draws.
    assert count_extremes(values, observed) == pytest.approx(exact, abs=4 * 0.5 / 4000**0.5)


def test_p_is_never_zero_and_counts_what_is_equal():
    assert count_extremes(np.array([0.1, -0.1, 0.1]), 0.5) == 1 / 4
    assert count_extremes(np.array([0.5, -0.5, np.nan]), 0.5) == 1
    assert np.isnan(count_extremes(np.array([0.1]), np.nan))


def test_swaps_depend_on_seed_and_number_alone():
    plan = PermutationPlan(30, 8)

    chunks = np.concatenate(list(plan.iterate(np.arange(7))))

    assert np.array_equal(chunks, plan.draw_swaps(7, start=0, stop=30))
    assert np.array_equal(chunks[11:13], plan.draw_swaps(7, start=11, stop=13))


def test_standardised_scores_have_mean_0_and_deviation_1():
    scores = standardise(np.array([1.0, 2, 6]))

    assert (scores.mean(), scores.std()) == pytest.approx((0, 1))
    assert standardise(np.array([2.0, 2])).tolist() == [0, 0]
