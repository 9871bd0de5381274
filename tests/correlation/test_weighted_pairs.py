import numpy as np
import pytest

from correlation.kendall import count_pairs
from correlation.weighted_pairs import prepare_pairs

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
