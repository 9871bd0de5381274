from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.ranking.rank import DEFAULT, expand_best_worst, rank_by_choices, rank_by_means
from correlation.ranking.values import RankingRequest

MANY = RankingRequest(20_000, "holm", 0.05, seed=1)
QUICK = RankingRequest(200, "holm", 0.05, seed=0)


def rate(means, *, n_images=30, n_raters=3, spread=1.0, seed=0):
    """Ratings of every system's caption of every image by every rater, with an effect of image and of rater."""
    rng = np.random.default_rng(seed)
    of_image = rng.normal(size=n_images)
    of_cell = rng.normal(scale=spread, size=(len(means), n_images))
    rows = [
        (f"s{s}", f"i{i:02}", f"r{r:02}", mean + of_image[i] + of_cell[s, i] + rng.normal(scale=0.3))
        for s, mean in enumerate(means)
        for i in range(n_images)
        for r in range(n_raters)
    ]
    system, image, rater, value = zip(*rows, strict=True)
    return {"system": system, "value": value, "image": image, "rater": rater}


def choose(strengths, *, n_images=40, n_raters=3, ties=0.3, seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n_images):
        for r in range(n_raters):
            for a in range(len(strengths)):
                for b in range(a + 1, len(strengths)):
                    half = (strengths[a] - strengths[b]) / 2
                    weights = np.array([np.exp(half), np.exp(-half), ties])
                    answer = rng.choice([1.0, -1.0, 0.0], p=weights / weights.sum())
                    rows.append((f"s{a}", f"s{b}", answer, f"i{i:02}", f"r{r:02}"))
    first, second, choice, image, rater = zip(*rows, strict=True)
    return {"first": first, "second": second, "choice": choice, "image": image, "rater": rater}


def as_values(ranking):
    return {each.system: each.value for each in ranking.systems}


# Over images and with as many ratings of each caption, everything is a t-test of image means: SciPy 1.17.1.
def test_means_of_a_balanced_design_are_paired_t_tests():
    rows = rate([0.0, 0.5, 1.0])
    ranking = rank_by_means(**rows, request=MANY)
    table = np.asarray(rows["value"]).reshape(3, 30, 3).mean(axis=2)

    assert [each.system for each in ranking.systems] == ["s2", "s1", "s0"]
    assert ranking.resampled == ("images",)
    for each in ranking.systems:
        own = table[int(each.system[1])]
        oracle = scipy.stats.ttest_1samp(own, 0).confidence_interval()
        assert each.value == pytest.approx(own.mean())
        assert (each.low, each.high) == pytest.approx(tuple(oracle), abs=0.02)
        assert each.error == pytest.approx(scipy.stats.sem(own), rel=0.02)
        assert (each.n, each.n_images, each.n_raters) == (90, 30, 3)
    for pair in ranking.differences:
        oracle = scipy.stats.ttest_rel(table[int(pair.first[1])], table[int(pair.second[1])])
        # The error of 20,000 resamples is half a per cent, which moves a small p-value by a few per cent.
        assert pair.p_value == pytest.approx(oracle.pvalue, rel=0.1)
    corrected = scipy.stats.false_discovery_control([each.p_value for each in ranking.differences], method="bh")
    by_bh = rank_by_means(**rows, request=replace(MANY, correction="bh"))
    assert [each.p_adjusted for each in by_bh.differences] == pytest.approx(corrected.tolist())


@pytest.mark.parametrize("rows", [rate([0.0, 0.4, 0.8]), rate([0.0, 0.4, 0.8], n_images=15, n_raters=12)])
def test_a_difference_is_significant_exactly_if_its_interval_excludes_zero(rows):
    ranking = rank_by_means(**rows, request=replace(QUICK, correction="none"))

    for pair in ranking.differences:
        assert (pair.p_adjusted < 0.05) == (not pair.low <= 0 <= pair.high)


def test_letters_follow_the_corrected_tests():
    ranking = rank_by_means(**rate([0.0, 0.05, 3.0]), request=QUICK)

    assert {each.system: each.letters for each in ranking.systems} == {"s2": "a", "s1": "b", "s0": "b"}


def test_ten_raters_are_resampled_and_nine_are_not():
    rng = np.random.default_rng(3)
    severity = rng.normal(scale=2.0, size=10)
    rows = rate([0.0, 1.0], n_raters=10, spread=0.1)
    harsh = [value + severity[int(rater[1:])] for value, rater in zip(rows["value"], rows["rater"], strict=True)]
    every = rank_by_means(**{**rows, "value": harsh}, request=QUICK)
    nine = [rater != "r09" for rater in rows["rater"]]
    fewer = rank_by_means(**{name: np.asarray(column)[nine] for name, column in rows.items()}, request=QUICK)

    assert (every.resampled, fewer.resampled) == (("images", "raters"), ("images",))
    # The error of a mean over raters is at least the standard deviation of their severities over sqrt(10).
    assert every.systems[0].error > 0.9 * severity.std(ddof=1) / sqrt(10)
    # The severities are shared by both systems, so that their difference is as certain as without them.
    assert every.differences[0].p_value < 0.001
    assert every.notes == ()
    assert fewer.notes == (
        "raters are not resampled, since there are only 9 raters, fewer than 10: the intervals hold for these raters",
    )


def test_unknown_raters_are_not_resampled():
    ranking = rank_by_means(**rate([0.0, 1.0], n_raters=12), knows_raters=False, request=QUICK)

    assert ranking.resampled == ("images",)
    assert ranking.notes == ("raters are not resampled, since it is not known who gave which judgment",)


def test_below_ten_images_there_is_no_test_and_a_caution():
    few, enough = (rank_by_means(**rate([0.0, 3.0], n_images=n), request=QUICK) for n in (9, 10))

    assert (few.differences, {each.letters for each in few.systems}) == ((), {""})
    assert few.cautions[0].startswith("only 9 images, fewer than 10: differences are not tested")
    assert few.systems[0].low is not None
    assert [each.letters for each in enough.systems] == ["a", "b"]
    assert enough.cautions == ()


def test_one_image_has_no_interval():
    ranking = rank_by_means(["a", "b"], [3, 1], image=[1, 1], rater=[1, 1])

    assert [(each.value, each.low, each.error) for each in ranking.systems] == [(3, None, None), (1, None, None)]


def test_intervals_stay_within_the_scale_and_a_constant_has_none():
    value = [1.0] * 19 + [0.0] + [0.0] * 20
    ranking = rank_by_means(
        ["a"] * 20 + ["b"] * 20, value, image=list(range(20)) * 2, rater=[1] * 40, bounds=(0, 1), request=QUICK
    )
    best, worst = ranking.systems

    assert (best.value, best.high) == (0.95, 1.0)
    assert (worst.value, worst.low, worst.high, worst.error) == (0.0, None, None, 0.0)
    assert ranking.notes[-1] == "a system whose value is the same in every resample has no interval"


def test_where_all_images_agree_the_test_is_the_sign_test():
    ranking = rank_by_means(["a", "b"] * 12, [2, 1] * 12, image=np.repeat(range(12), 2), rater=[1] * 24)

    assert ranking.differences[0].p_value == 2.0**-11


def test_systems_with_judgments_of_few_images_are_too_uncertain():
    # One of three systems has a judgment of one image only, which is missing from a third of the resamples.
    rows = rate([0.0, 1.0], n_images=20)
    added = {"system": "rare", "value": 5.0, "image": "i00", "rater": "r00"}
    ranking = rank_by_means(**{name: [*column, added[name]] for name, column in rows.items()}, request=QUICK)

    assert {each.low for each in ranking.systems} == {None}
    assert "a value is undefined in" in ranking.notes[-1]


def test_too_many_systems_are_not_tested():
    ranking = rank_by_means(**rate([0.0] * 51, n_images=10, n_raters=1), request=QUICK)

    assert ranking.differences == ()
    assert ranking.notes[-1] == "differences are not tested: there are 51 systems, more than 50"


# Two systems: the strength is half the log odds; its error by the delta method for independent choices.
def test_strengths_of_two_systems_have_a_closed_form():
    choice = [1.0] * 60 + [-1.0] * 20
    strength, wins = rank_by_choices(["a"] * 80, ["b"] * 80, choice, image=range(80), rater=[1] * 80, request=MANY)

    assert as_values(strength) == {"a": pytest.approx(log(3) / 2), "b": pytest.approx(-log(3) / 2)}
    assert strength.systems[0].error == pytest.approx(sqrt(1 / 60 + 1 / 20) / 2, rel=0.05)
    assert as_values(wins) == {"a": 0.75, "b": 0.25}
    assert wins.systems[0].error == pytest.approx(sqrt(0.75 * 0.25 / 80), rel=0.03)
    assert wins.systems[0].n == 80


# Without ties the strengths are a logistic regression: statsmodels 0.15.0.
def test_strengths_without_ties_are_a_logistic_regression():
    rows = choose([1.0, 0.2, -0.4, -0.8], ties=0.0)
    first, second, choice = (np.asarray(rows[name]) for name in ("first", "second", "choice"))
    names = np.array(["s0", "s1", "s2", "s3"])
    design = (first[:, None] == names).astype(float) - (second[:, None] == names)
    fit = sm.Logit(choice > 0, design[:, 1:]).fit(disp=0, tol=1e-12)
    oracle = np.concatenate([[0], fit.params])

    strength, _ = rank_by_choices(**rows, request=QUICK)

    assert as_values(strength) == pytest.approx(dict(zip(names, oracle - oracle.mean(), strict=True)), abs=1e-8)


def test_a_tie_is_half_a_win():
    _, wins = rank_by_choices(["a"] * 4, ["b"] * 4, [1, 0, 0, -1], image=range(4), rater=[1] * 4, request=QUICK)
    _, more = rank_by_choices(["a"] * 4, ["b"] * 4, [1, 1, 0, -1], image=range(4), rater=[1] * 4, request=QUICK)

    assert (as_values(wins), as_values(more)) == ({"a": 0.5, "b": 0.5}, {"a": 0.625, "b": 0.375})


def test_the_order_of_a_pair_does_not_matter():
    rows = choose([0.5, 0.0, -0.5])
    turned = {**rows, "first": rows["second"], "second": rows["first"], "choice": [-each for each in rows["choice"]]}

    for one, other in zip(
        rank_by_choices(**rows, request=QUICK), rank_by_choices(**turned, request=QUICK), strict=True
    ):
        assert as_values(one) == pytest.approx(as_values(other), abs=1e-9)
        assert [each.p_value for each in one.differences] == pytest.approx([each.p_value for each in other.differences])


@pytest.mark.parametrize(
    ("first", "second", "choice", "reason"),
    [
        (["a", "a"], ["b", "c"], [1, 1], "no chain of choices leads from 'b' to 'a'"),
        (["a", "c"] * 2, ["b", "d"] * 2, [1, 1, -1, -1], "no chain of choices leads from 'a' to 'c'"),
        (["a"] * 12, ["b"] * 12, [1] * 12, "no chain of choices leads from 'b' to 'a'"),
    ],
    ids=["undefeated", "disconnected", "always-the-same"],
)
def test_infinite_strengths_are_a_reason_and_shares_are_still_there(first, second, choice, reason):
    strength, wins = rank_by_choices(
        first, second, choice, image=range(len(first)), rater=[1] * len(first), request=QUICK
    )

    assert strength.reason.startswith(reason)
    assert {(each.value, each.low, each.letters) for each in strength.systems} == {(None, None, "")}
    assert strength.differences == ()
    assert wins.reason is None
    assert all(each.value is not None for each in wins.systems)


def test_too_many_infinite_resamples_are_no_interval():
    # The worst of two wins once in 40 choices, so that it wins never in a third of the resamples.
    choice = [1.0] * 39 + [-1.0]
    strength, wins = rank_by_choices(["a"] * 40, ["b"] * 40, choice, image=range(40), rater=[1] * 40, request=QUICK)

    assert as_values(strength)["a"] == pytest.approx(log(39) / 2)
    assert {each.low for each in strength.systems} == {None}
    assert "a value is undefined in 3" in strength.notes[-1]
    assert wins.systems[0].low is not None


def test_nothing_is_ranked_without_choices():
    strength, wins = rank_by_choices([], [], [], image=[], rater=[], request=QUICK)

    assert (strength.systems, wins.systems) == ((), ())


def test_best_worst_answers_are_comparisons_of_one_rater_and_task():
    preferred, other = expand_best_worst(
        ["t1"] * 3 + ["t1"] * 3 + ["t2"] * 3,
        ["x"] * 3 + ["y"] * 3 + ["x"] * 3,
        ["a", "b", "c", "a", "b", "c", "a", "a", "b"],
        [1, -1, 0, 0, 0, 0, 1, -1, 0],
    )

    # y marked nothing; on t2 the best and the worst are of one system.
    assert list(zip(preferred.tolist(), other.tolist(), strict=True)) == [(0, 1), (0, 2), (2, 1), (6, 8), (8, 7)]


# The truth is that all systems are alike: letters differ in at most 5 % of the studies, Holm's family-wise level.
@pytest.mark.parametrize("n_images", [10, 30])
def test_false_differences_are_as_rare_as_claimed(n_images):
    wrong = [
        any(
            pair.p_adjusted < 0.05
            for pair in rank_by_means(
                **rate([0.0] * 4, n_images=n_images, n_raters=2, seed=seed), request=replace(QUICK, seed=seed)
            ).differences
        )
        for seed in range(200)
    ]

    assert np.mean(wrong) <= 0.05 + 2.6 * sqrt(0.05 * 0.95 / 200)


def test_intervals_of_strengths_cover_the_truth():
    truth = {"s0": 0.6, "s1": 0.0, "s2": -0.6}
    covered = [
        each.low <= truth[each.system] <= each.high
        for seed in range(60)
        for each in rank_by_choices(
            **choose([0.6, 0.0, -0.6], n_images=30, n_raters=2, seed=seed), request=replace(QUICK, seed=seed)
        )[0].systems
    ]

    assert 0.90 <= np.mean(covered) <= 0.99


@given(st.integers(0, 1000))
def test_same_seed_same_numbers_and_the_order_of_rows_does_not_matter(seed):
    rows = rate([0.0, 0.3, 0.3], n_images=10, n_raters=2, seed=seed)
    order = np.random.default_rng(seed).permutation(len(rows["value"]))
    mixed = {name: np.asarray(column)[order] for name, column in rows.items()}
    one, other = (rank_by_means(**each, request=replace(QUICK, n_resamples=50)) for each in (rows, mixed))

    assert one == rank_by_means(**rows, request=replace(QUICK, n_resamples=50))
    assert [each.system for each in one.systems] == [each.system for each in other.systems]
    assert [each.error for each in one.systems] == pytest.approx([each.error for each in other.systems])


def test_refuses():
    with pytest.raises(CorrelationInputError, match="`value` is NaN at index 1"):
        rank_by_means(["a", "b"], [1, np.nan], image=[1, 1], rater=[1, 1])
    with pytest.raises(CorrelationInputError, match="`first` and `second` must differ"):
        rank_by_choices(["a"], ["a"], [1], image=[1], rater=[1])
    with pytest.raises(CorrelationInputError, match=r"`image` must have one entry per judgment \(1\), got 2"):
        rank_by_means(["a"], [1], image=[1, 1], rater=[1])
    with pytest.raises(CorrelationInputError, match="`n_resamples` must be at least 2, got 1"):
        replace(DEFAULT, n_resamples=1)
    with pytest.raises(UnknownNameError, match="correction"):
        replace(DEFAULT, correction="bonferroni")
    with pytest.raises(CorrelationInputError, match=r"`alpha` must be in \(0, 1\), got 1"):
        replace(DEFAULT, alpha=1)
