import numpy as np
import pytest

from correlation.coefficients.kendall import count_pairs
from correlation.coefficients.weighted_pairs import count_larger, count_ties_of_table, order_folds, prepare_pairs

FIELDS = ("n", "concordant", "discordant", "tied_x", "tied_y", "tied_both", "distinct_x", "distinct_y", "total")


@pytest.mark.parametrize(("levels_x", "levels_y"), [(3, 4), (3, 10_000), (10_000, 3), (10_000, 10_000)])
def test_counts_are_those_of_the_repeated_rows(levels_x, levels_y):
    rng = np.random.default_rng(8)
    x, y = rng.integers(levels_x, size=500).astype(float), rng.integers(levels_y, size=500).astype(float)
    weights = rng.integers(0, 4, size=(3, 500)).astype(float)

    pairs = prepare_pairs(x, y)(weights)

    for r, row in enumerate(weights.astype(int)):
        expected = count_pairs(np.repeat(x, row), np.repeat(y, row))
        assert [getattr(pairs, f)[r] for f in FIELDS] == [getattr(expected, f) for f in FIELDS]


@pytest.mark.parametrize("levels_x", [1, 2, 37, 128, 129, 1000])
def test_folded_cross_tables_have_the_same_counts(levels_x):
    rng = np.random.default_rng(8)
    table = rng.integers(3, size=(4, levels_x))
    y, x = (axis.reshape(-1).repeat(table.reshape(-1)).astype(float) for axis in np.indices(table.shape))
    padded = np.vstack([table.T, np.zeros((1, 4))])
    folded = padded[order_folds(levels_x)]

    pairs = count_ties_of_table(folded).put_in_order(count_larger(folded)[None])

    expected = count_pairs(x, y)
    assert [getattr(pairs, f)[0] for f in FIELDS] == [getattr(expected, f) for f in FIELDS]
