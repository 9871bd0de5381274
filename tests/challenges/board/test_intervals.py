"""Tests of intervals and clusters against loops written out here."""

import numpy as np
import pytest

from challenges.board.intervals import compare_entries

N_IMAGES = 60


def make_scores(*means, seed=3, spread=0.1):
    """Return scores of the same images, which are hard or easy for all entries."""
    rng = np.random.default_rng(seed)
    images = rng.normal(size=N_IMAGES)
    return {number: mean + images + rng.normal(scale=spread, size=N_IMAGES) for number, mean in enumerate(means)}


def test_intervals_are_those_of_a_loop_over_resampled_images():
    found = compare_entries(make_scores(0.5, 0.4), higher_is_better=True, entropy=7, n_resamples=2000)

    rng = np.random.default_rng(0)
    for key, scores in make_scores(0.5, 0.4).items():
        means = [scores[rng.integers(N_IMAGES, size=N_IMAGES)].mean() for _ in range(2000)]
        low, high = np.quantile(means, [0.025, 0.975])
        # Both bootstraps have a Monte Carlo error of a few hundredths of the width.
        assert (found[key].low, found[key].high) == pytest.approx((low, high), abs=0.15 * (high - low))
        assert found[key].low < scores.mean() < found[key].high


def test_the_test_is_paired_so_that_overlapping_intervals_can_differ():
    found = compare_entries(make_scores(0.5, 0.3, 0.3), higher_is_better=True, entropy=7)

    assert found[1].high > found[0].low
    assert [found[key].cluster for key in range(3)] == [1, 2, 2]


def test_p_values_decide_as_those_of_a_loop_over_swaps():
    rng = np.random.default_rng(1)
    for gap in (0.0, 0.01, 0.2):
        scores = make_scores(0.5, 0.5 - gap, seed=11)
        differences = scores[0] - scores[1]
        swapped = [(rng.choice([-1, 1], size=N_IMAGES) * differences).mean() for _ in range(2000)]
        p_value = np.mean(np.abs(swapped) >= abs(differences.mean()))
        assert abs(p_value - 0.05) > 0.02, "the case must be clear"
        found = compare_entries(scores, higher_is_better=True, entropy=7)
        assert ({each.cluster for each in found.values()} == {1, 2}) == (p_value < 0.05)


def test_for_costs_the_lowest_is_in_the_first_cluster():
    found = compare_entries(make_scores(0.9, 0.1), higher_is_better=False, entropy=7)

    assert (found[0].cluster, found[1].cluster) == (2, 1)


def test_the_same_resamples_give_the_same_and_do_not_depend_on_other_entries():
    scores = make_scores(0.5, 0.4, 0.3)
    whole = compare_entries(scores, higher_is_better=True, entropy=7)

    assert compare_entries(scores, higher_is_better=True, entropy=7) == whole
    alone = compare_entries({1: scores[1]}, higher_is_better=True, entropy=7)[1]
    assert (alone.low, alone.high) == pytest.approx((whole[1].low, whole[1].high), rel=1e-12)
    assert alone.cluster == 1


def test_what_cannot_be_compared_is_refused():
    assert compare_entries({}, higher_is_better=True, entropy=7) == {}
    with pytest.raises(ValueError, match="same images"):
        compare_entries({1: np.ones(3), 2: np.ones(2)}, higher_is_better=True, entropy=7)
    for scores in (np.array([1.0, np.nan]), np.array([])):
        with pytest.raises(ValueError, match="every image"):
            compare_entries({1: scores}, higher_is_better=True, entropy=7)


def test_scores_from_sums_are_compared_by_swapping_the_images_and_scoring_both_again():
    rng = np.random.default_rng(2)
    for gap, clusters in ((0, {1}), (2, {1, 2})):
        counts = rng.integers(5, 10, size=(N_IMAGES, 1))
        first, second = (
            np.hstack([rng.binomial(counts, 0.5) + (0 if number else gap), counts]).astype(float) for number in range(2)
        )
        found = compare_entries({1: first, 2: second}, higher_is_better=True, entropy=7, reduce=divide)

        observed = divide(first.sum(axis=0)) - divide(second.sum(axis=0))
        differences = []
        for _ in range(1000):
            swapped = rng.random((N_IMAGES, 1)) < 0.5
            pair = np.where(swapped, second, first), np.where(swapped, first, second)
            differences.append(divide(pair[0].sum(axis=0)) - divide(pair[1].sum(axis=0)))
        p_value = np.mean(np.abs(differences) >= abs(observed))
        assert abs(p_value - 0.05) > 0.02, "the case must be clear"
        assert ({each.cluster for each in found.values()} == {1, 2}) == (p_value < 0.05) == (clusters == {1, 2})


def divide(totals):
    return totals[..., 0] / totals[..., 1]


def test_groups_of_entries_give_the_same(monkeypatch):
    scores = make_scores(0.5, 0.4, 0.3)
    whole = compare_entries(scores, higher_is_better=True, entropy=7)
    monkeypatch.setattr("challenges.board.intervals._NUMBERS_AT_ONCE", N_IMAGES)
    alone = compare_entries(scores, higher_is_better=True, entropy=7)

    assert [each.cluster for each in alone.values()] == [each.cluster for each in whole.values()]
    np.testing.assert_allclose([each.low for each in alone.values()], [each.low for each in whole.values()])


def test_an_entry_whose_score_is_undefined_has_no_interval():
    with np.errstate(invalid="ignore"):
        found = compare_entries(
            {1: np.ones((3, 2)), 2: np.zeros((3, 2))}, higher_is_better=True, entropy=7, reduce=divide
        )

    assert list(found) == [1]
