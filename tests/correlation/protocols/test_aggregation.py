import numpy as np
import pytest

from correlation.errors import UnknownNameError
from correlation.protocols.aggregation import AGGREGATIONS, aggregate_judgments
from correlation.tables import JudgmentTable


def build(rows, items="abcd"):
    """Rows of (item, rater, value)."""
    item, rater, value = zip(*rows, strict=True) if rows else ((), (), ())
    return JudgmentTable.build(
        items=list(items), image=list(items), item=np.array(item, str), rater=np.array(rater, str), value=value
    )


ROWS = [("a", "x", 1), ("a", "y", 2), ("a", "z", 4), ("b", "x", 3), ("b", "y", 3), ("d", "x", 2), ("d", "y", 4)]


# z by hand: x gave 1 3 2 (mean 2, deviation sqrt(2/3)), y gave 2 3 4 (mean 3, the same deviation), z one value only.
SPREAD = (2 / 3) ** 0.5


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("mean", [7 / 3, 3, np.nan, 3]),
        ("median", [2, 3, np.nan, 3]),
        ("majority", [7 / 3, 3, np.nan, 3]),
        ("z-mean", [-1 / SPREAD, 0.5 / SPREAD, np.nan, 0.5 / SPREAD]),
    ],
)
def test_by_hand(rule, expected):
    np.testing.assert_allclose(aggregate_judgments(build(ROWS), rule=rule), expected, rtol=0, atol=1e-12)


def test_majority_is_the_most_frequent_value_and_the_mean_of_tied_ones():
    rows = [("a", "v", 1), ("a", "w", 4), ("a", "x", 4), ("b", "v", 1), ("b", "w", 1), ("b", "x", 2), ("b", "y", 2)]

    assert aggregate_judgments(build(rows, "ab"), rule="majority").tolist() == [4, 1.5]


def test_models_expect_a_value_between_the_lowest_and_the_highest():
    rows = [(item, rater, value) for item, value in zip("abcd", [1, 2, 3, 4], strict=True) for rater in "xyz"]

    for rule in ("dawid-skene", "mace"):
        np.testing.assert_allclose(aggregate_judgments(build(rows), rule=rule), [1, 2, 3, 4], atol=0.05)


@pytest.mark.parametrize("rule", AGGREGATIONS)
def test_items_without_judgments_are_missing(rule):
    assert np.isnan(aggregate_judgments(build([]), rule=rule)).all()
    assert np.isnan(aggregate_judgments(build(ROWS), rule=rule)).tolist() == [False, False, True, False]


@pytest.mark.parametrize("rule", AGGREGATIONS)
def test_order_of_judgments_does_not_matter(rule):
    shuffled = [ROWS[k] for k in np.random.default_rng(1).permutation(len(ROWS))]

    np.testing.assert_allclose(
        aggregate_judgments(build(shuffled), rule=rule), aggregate_judgments(build(ROWS), rule=rule), atol=1e-9
    )


def test_unknown_rule_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown aggregation 'mode'; known are: mean, median, z-mean"):
        aggregate_judgments(build(ROWS), rule="mode")
