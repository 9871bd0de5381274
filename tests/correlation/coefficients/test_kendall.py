import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from correlation.coefficients.kendall import MAX_CELLS_PER_OBSERVATION, count_inversions, count_pairs, dense_ranks

FEW = st.integers(-2, 2).map(float)
MANY = st.integers(-10_000, 10_000).map(float)


def count_one_by_one(x, y):
    """Concordant, discordant, tied in x, tied in y, tied in both: pair by pair."""
    counts = [0, 0, 0, 0, 0]
    for i in range(len(x)):
        for j in range(i):
            sign = np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
            counts[0] += sign > 0
            counts[1] += sign < 0
            counts[2] += x[i] == x[j]
            counts[3] += y[i] == y[j]
            counts[4] += x[i] == x[j] and y[i] == y[j]
    return counts


@pytest.mark.parametrize(
    ("levels_x", "levels_y"), [(FEW, FEW), (FEW, MANY), (MANY, FEW), (MANY, MANY)], ids=["ff", "fm", "mf", "mm"]
)
@given(data=st.data())
def test_counts_equal_a_count_pair_by_pair(levels_x, levels_y, data):
    pairs = data.draw(st.lists(st.tuples(levels_x, levels_y), max_size=60))
    x, y = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])

    counts = count_pairs(x, y)

    found = [counts.concordant, counts.discordant, counts.tied_x, counts.tied_y, counts.tied_both]
    assert found == count_one_by_one(x, y)
    assert (counts.distinct_x, counts.distinct_y) == (len(set(x)), len(set(y)))


# With 36 and more levels in 110 observations, a cross table would have more than 8 cells for each: inversions are
# counted. Ten observations occur twice, so that pairs are tied in both variables.
@pytest.mark.parametrize(("levels_x", "levels_y"), [(40, 40), (40, 1000), (1000, 40)])
def test_inversions_with_ties_equal_a_count_pair_by_pair(levels_x, levels_y):
    rng = np.random.default_rng(1)
    twice = np.arange(110) % 100
    x, y = (rng.integers(levels, size=100).astype(float)[twice] for levels in (levels_x, levels_y))

    counts = count_pairs(x, y)

    assert counts.distinct_x * counts.distinct_y > MAX_CELLS_PER_OBSERVATION * counts.n
    found = [counts.concordant, counts.discordant, counts.tied_x, counts.tied_y, counts.tied_both]
    assert found == count_one_by_one(x, y)
    assert min(found) > 0


# By hand: x = 1 2 2 3, y = 2 1 1 3. Pairs (0,1) and (0,2) disagree, (0,3) (1,3) (2,3) agree, (1,2) is tied in both.
def test_counts_of_a_case_by_hand():
    counts = count_pairs(np.array([1.0, 2, 2, 3]), np.array([2.0, 1, 1, 3]))

    assert (counts.concordant, counts.discordant, counts.tied_both) == (3, 2, 1)
    assert counts.concordant + counts.discordant + counts.tied_both == counts.total == 6


@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 31, 32, 33, 1000, 40_000, 70_000])
def test_a_falling_sequence_inverts_every_pair(n):
    assert count_inversions(np.arange(n)[::-1]) == n * (n - 1) // 2


@given(st.permutations(range(70)))
def test_inversions_equal_a_count_pair_by_pair(permutation):
    expected = sum(a > b for j, b in enumerate(permutation) for a in permutation[:j])

    assert count_inversions(np.array(permutation)) == expected


def test_dense_ranks_of_nothing_are_none():
    ranks, distinct = dense_ranks(np.empty(0))

    assert (ranks.tolist(), distinct) == ([], 0)
