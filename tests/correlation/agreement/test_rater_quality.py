"""Tests of measures of raters on small cases counted by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from correlation.agreement.rater_quality import compare_with_perturbed, measure_raters
from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable

ITEMS = ["a", "b", "c", "d"]


def _build(rows, **columns):
    item, rater, value = zip(*rows, strict=True)
    return JudgmentTable.build(items=ITEMS, image=ITEMS, item=item, rater=rater, value=value, **columns)


def _rate(**ratings):
    """One row per item and rater, in the order of the items."""
    return _build(
        [(item, rater, value) for rater, values in ratings.items() for item, value in zip(ITEMS, values, strict=True)]
    )


def test_ratings_agree_with_the_mean_of_the_others() -> None:
    table = _rate(ann=[1, 2, 3, 4], bob=[1, 2, 3, 4], eve=[4, 3, 2, 1])

    ann, bob, eve = measure_raters(table, seconds=np.full(12, np.nan), are_choices=False)

    # The mean of bob and eve is constant, so ann cannot be compared with it.
    assert np.isnan(ann.agreement)
    assert np.isnan(bob.agreement)
    assert eve.agreement == -1.0
    assert [one.n_compared for one in (ann, bob, eve)] == [4, 4, 4]


def test_choices_agree_with_most_of_the_others() -> None:
    table = _rate(ann=[1, 1, -1, 0], bob=[1, -1, -1, 1], eve=[1, 1, 1, 1])

    ann, bob, eve = measure_raters(table, seconds=np.full(12, np.nan), are_choices=True)

    # ann: yes on a; b and c have the others even; nothing chosen on d.
    assert (ann.agreement, ann.n_compared) == (pytest.approx(2 / 3), 3)
    # bob: yes, no, even, and eve alone decides d.
    assert bob.agreement == (1 + 0 + 0.5 + 1) / 4
    assert eve.agreement == (1 + 0.5 + 0 + 1) / 4


def test_items_on_which_nobody_else_has_a_preference_are_left_out() -> None:
    table = _rate(ann=[1, 1, 1, -1], bob=[1, 0, 0, 0], eve=[1, 0, 0, -1])

    ann, bob, _ = measure_raters(table, seconds=np.full(12, np.nan), are_choices=True)

    # ann: the others agree on a, have no preference on b and c, and eve alone decides d.
    assert (ann.agreement, ann.n_compared) == (1.0, 2)
    assert (bob.agreement, bob.n_compared) == (1.0, 1)


def test_pace_is_relative_to_the_median_rater() -> None:
    table = _rate(ann=[1, 2, 3, 4], bob=[1, 2, 3, 4], eve=[1, 1, 1, 2])
    seconds = [8, 10, 12, np.nan, 20, 20, 20, 20, 4, 4, 6, 4]

    found = measure_raters(table, seconds=seconds, are_choices=False)

    assert [one.median_seconds for one in found] == [10.0, 20.0, 4.0]
    assert [one.pace for one in found] == [1.0, 2.0, 0.4]


def test_without_times_there_is_no_pace() -> None:
    (ann,) = measure_raters(_rate(ann=[1, 2, 3, 4]), seconds=[np.nan] * 4, are_choices=False)

    assert np.isnan(ann.median_seconds)
    assert np.isnan(ann.pace)
    assert (ann.n_compared, np.isnan(ann.agreement)) == (0, True)


def test_sameness_is_counted_over_all_and_in_a_row() -> None:
    table = _rate(ann=[3, 3, 1, 3], bob=[2, 2, 2, 2])

    ann, bob = measure_raters(table, seconds=[np.nan] * 8, are_choices=False)

    assert (ann.same_share, ann.longest_run) == (0.75, 2)
    assert (bob.same_share, bob.longest_run) == (1.0, 4)


def test_criteria_are_compared_each_with_itself() -> None:
    rows = [("a", "ann", 1), ("b", "ann", 5), ("a", "ann", 9), ("a", "bob", 2), ("b", "bob", 3), ("a", "bob", 8)]
    table = _build(rows, criterion=["x", "x", "y", "x", "x", "y"])

    ann, _ = measure_raters(table, seconds=[np.nan] * 6, are_choices=False)

    assert (ann.agreement, ann.n_compared) == (pytest.approx(1.0), 3)


@pytest.mark.parametrize("seconds", [[1.0], [-1.0, 1.0, 1.0, 1.0]])
def test_wrong_times_are_refused(seconds) -> None:
    with pytest.raises(CorrelationInputError, match="`seconds`"):
        measure_raters(_rate(ann=[1, 2, 3, 4]), seconds=seconds, are_choices=False)


def test_rank_sum_is_exact_where_all_permutations_can_be_tried() -> None:
    intact, perturbed = [4.0, 2.0, 3.0], [1.0, 2.0]
    ranks = np.asarray([5, 2.5, 4, 1, 2.5])
    sums = [ranks[list(chosen)].sum() for chosen in combinations(range(5), 3)]
    expected = np.mean([total >= ranks[:3].sum() for total in sums])

    p = compare_with_perturbed(intact, perturbed, rng=np.random.default_rng(0))

    assert p == pytest.approx(expected, abs=1e-12)


def test_rater_who_sees_no_difference_has_a_large_p() -> None:
    assert compare_with_perturbed([2.0] * 5, [2.0] * 5, rng=np.random.default_rng(0)) == 1.0
    assert compare_with_perturbed([1, 1, 1, 2], [4, 4, 4, 4], rng=np.random.default_rng(0)) == 1.0


def test_p_values_are_uniform_where_nothing_differs() -> None:
    rng = np.random.default_rng(7)

    rejected = [
        compare_with_perturbed(rng.normal(size=12), rng.normal(size=8), rng=rng, permutations=199) <= 0.05
        for _ in range(400)
    ]

    # 5 % of 400, within four standard errors.
    assert abs(np.mean(rejected) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 400)


def test_empty_side_is_undefined() -> None:
    assert np.isnan(compare_with_perturbed([], [1.0], rng=np.random.default_rng(0)))
