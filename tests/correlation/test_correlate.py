from math import isnan, nan

import numpy as np
import pytest
import scipy.stats

from correlation.correlate import correlate, correlate_tables
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.tables import ScoreTable

# Three systems s, t, u on images a and b.
X = [1, 2, 3, 1, 3, 2]
Y = [1, 2, 3, 1, 2, 3]
SYSTEMS = ["s", "t", "u", "s", "t", "u"]
IMAGES = ["a", "a", "a", "b", "b", "b"]


# tau-a by hand. item: of 15 pairs 3 are tied in x, 3 in y, 1 of them (the rows of s) in both: 10 are ordered, and
# only (t, b) against (u, b) is discordant: (9 - 1) / 15. group: image a 3/3, image b (2 - 1)/3, mean 2/3.
# system: means x 1 2.5 2.5 and y 1 2 3: 2/3. global: one row a cell, so as item.
@pytest.mark.parametrize(
    ("level", "value", "n"), [("item", 8 / 15, 6), ("group", 2 / 3, 2), ("system", 2 / 3, 3), ("global", 8 / 15, 6)]
)
def test_levels_by_hand(level, value, n):
    result = correlate(X, Y, level=level, coefficient="kendall-a", groups=IMAGES, systems=SYSTEMS)

    assert result.value == pytest.approx(value, abs=1e-15)
    assert (result.n, result.n_missing, result.n_undefined, result.reason) == (n, 0, 0, None)
    assert (result.low, result.high, result.interval) == (None, None, None)


def test_global_level_averages_the_judgments_of_a_cell():
    result = correlate(
        [1, 1, 2, 2, 3],
        [1, 3, 1, 1, 9],
        level="global",
        coefficient="pearson",
        groups=["a", "a", "a", "a", "a"],
        systems=["s", "s", "t", "t", "u"],
    )

    assert result.value == pytest.approx(scipy.stats.pearsonr([1, 2, 3], [2, 1, 9]).statistic, abs=1e-15)
    assert result.n == 3


def test_missing_rows_are_counted():
    result = correlate([1, 2, nan, 4], [1, nan, 3, 4], level="item", coefficient="pearson")

    assert (result.n, result.n_missing) == (2, 2)


def test_undefined_groups_are_counted_and_left_out_of_the_mean():
    result = correlate(
        [1, 2, 5, 5, 7], [1, 2, 1, 2, 3], level="group", coefficient="spearman", groups=["a", "a", "b", "b", "c"]
    )

    assert (result.value, result.n, result.n_undefined) == (pytest.approx(1.0), 1, 2)


@pytest.mark.parametrize(
    ("x", "level", "reason"),
    [
        ([3, 3, 3], "item", "the score is 3 in all 3 observations"),
        ([nan, nan, 1], "item", "1 observation(s), at least 2 are needed"),
        ([1, 2, 3], "group", "undefined in all 3 groups (too few rows or constant)"),
        ([nan, nan, nan], "group", "undefined in all 0 groups (too few rows or constant)"),
        ([nan, nan, nan], "global", "0 observation(s), at least 2 are needed"),
    ],
)
def test_undefined_says_why(x, level, reason):
    result = correlate(
        x, [1, 2, 3], level=level, coefficient="pearson", groups=["a", "b", "c"], systems=["s", "s", "s"]
    )

    assert isnan(result.value)
    assert result.reason == reason


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"level": "corpus"}, UnknownNameError, "unknown level 'corpus'; known are: item, group, system, global"),
        ({"coefficient": "tau"}, UnknownNameError, "unknown coefficient 'tau'"),
        ({"level": "group"}, CorrelationInputError, "level 'group' needs `groups`, got None"),
        ({"level": "system"}, CorrelationInputError, "level 'system' needs `systems`, got None"),
        ({"groups": ["a"]}, CorrelationInputError, r"`groups` must have one entry per x \(3\), got 1"),
    ],
)
def test_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        correlate([1, 2, 3], [1, 2, 3], **{"level": "item", "coefficient": "pearson", **arguments})


@pytest.mark.parametrize("level", ["item", "group", "system", "global"])
def test_tables_are_aligned_by_key(level):
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 4, 5))
    x[0, 0] = np.nan
    systems, items = ["s", "t", "u", "v"], ["a", "b", "c", "d", "e"]
    metric = ScoreTable.build(x, systems=systems, items=items)
    people = ScoreTable.build(y, systems=systems, items=items)
    turned = people.align(systems=people.systems[::-1], items=people.items[::-1])

    straight = correlate_tables(metric, people, level=level, coefficient="pearson")

    assert correlate_tables(metric, turned, level=level, coefficient="pearson") == straight
    assert straight.n_missing == 1
    if level == "group":
        columns = [scipy.stats.pearsonr(x[k:, j], y[k:, j]).statistic for j, k in enumerate([1, 0, 0, 0, 0])]
        assert straight.value == pytest.approx(np.mean(columns), abs=1e-12)
    if level == "system":
        y[0, 0] = np.nan
        expected = scipy.stats.pearsonr(np.nanmean(x, axis=1), np.nanmean(y, axis=1)).statistic
        assert straight.value == pytest.approx(expected, abs=1e-12)
