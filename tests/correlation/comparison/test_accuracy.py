from itertools import product
from math import isnan, nan

import numpy as np
import pytest

from correlation.comparison.accuracy import compare_accuracies
from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError

RNG = np.random.default_rng(11)
GOOD, FAIR = np.array([1, 1, 1, 1, 1, 1, 0.5, 1, 0, 1]), np.array([1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5])
IMAGES = np.arange(10) // 2


def compare(credits_by_metric, seed=1, **arguments):
    return compare_accuracies(credits_by_metric, rng=np.random.default_rng(seed), **arguments)


def enumerate_swaps(gains):
    """The share of all swaps of the units that are at least as far from 0 as what was observed."""
    totals = np.array(list(product((1, -1), repeat=len(gains)))) @ gains
    return np.mean(np.abs(totals) >= abs(sum(gains)) - 1e-12)


@pytest.mark.parametrize(
    ("test", "units"), [("perm-both", GOOD - FAIR), ("perm-input", (GOOD - FAIR).reshape(-1, 2).sum(axis=1))]
)
def test_p_value_is_that_of_all_swaps(test, units):
    table = compare({"fair": FAIR, "good": GOOD}, images=IMAGES, request=ComparisonRequest(test, n_resamples=20_000))

    assert table.metrics == ("good", "fair")
    assert table.values == pytest.approx((8.5 / 10, 4.5 / 10))
    assert table.differences[0].difference == pytest.approx(0.4)
    # Four standard errors of a share estimated from 20,000 permutations.
    expected = enumerate_swaps(units)
    assert table.differences[0].p_value == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 20_000))


def test_mean_over_categories_weighs_each_alike():
    table = compare({"a": [1, 1, 1, 0], "b": [0, 0, 0, 1]}, categories=["HC", "HC", "HC", "MM"])

    assert table.values == pytest.approx((0.5, 0.5))
    assert table.differences[0].p_value == 1.0


def test_pair_missing_for_one_metric_is_left_out_for_all():
    table = compare({"a": [1, nan, 1], "b": [0, 1, 1]})

    assert (table.n, table.n_missing) == (2, 1)
    assert table.values == (1.0, 0.5)


def test_bootstrap_bounds_the_difference_and_finds_a_real_one():
    better = (RNG.random(400) < 0.8).astype(float)
    worse = (RNG.random(400) < 0.6).astype(float)
    request = ComparisonRequest("bootstrap", ("rows",), n_resamples=500)

    found = compare({"better": better, "worse": worse}, request=request).differences[0]

    # The standard error of a mean of 400 paired differences, by formula.
    error = np.std(better - worse) / 20
    assert found.low == pytest.approx(found.difference - 1.96 * error, abs=0.01)
    assert found.high == pytest.approx(found.difference + 1.96 * error, abs=0.01)
    assert found.p_value == pytest.approx(1 / 501)


def test_same_seed_same_table_and_clusters_tell_apart():
    credits_by_metric = {"low": np.zeros(50), "high": np.ones(50), "also": np.ones(50)}

    table = compare(credits_by_metric)

    assert table == compare(credits_by_metric)
    assert table.metrics == ("high", "also", "low")
    assert table.letters == ("a", "a", "b")
    assert (table.level, table.coefficient) == ("pair", "accuracy")


def test_without_pairs_nothing_is_defined():
    table = compare({"a": [nan], "b": [1]})

    assert isnan(table.differences[0].p_value)
    assert table.n == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"credits_by_metric": {"a": [1]}}, "must have at least two metrics, got 1"),
        ({"credits_by_metric": {"a": [1], "b": [1, 0]}}, r"`credits\['b'\]` must have one entry per pair \(1\), got 2"),
        ({"request": ComparisonRequest("williams")}, "test 'williams' is not for accuracies, take one of: perm-both"),
        ({"request": ComparisonRequest("perm-input")}, "needs keys of `images`, there are: rows"),
        ({"request": ComparisonRequest("bootstrap", ("raters",))}, "needs keys of `raters`, there are: rows"),
    ],
)
def test_refuses(change, message):
    arguments = {"credits_by_metric": {"a": [1, 0], "b": [0, 1]}, **change}

    with pytest.raises(CorrelationInputError, match=message):
        compare(arguments.pop("credits_by_metric"), **arguments)
