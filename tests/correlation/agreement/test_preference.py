from math import isnan, log, sqrt

import numpy as np
import pytest
import scipy.optimize
import statsmodels.api as sm

from correlation.agreement.preference import fit_preferences
from correlation.errors import CorrelationInputError

OPTIONS = np.array(["a", "b", "c", "d"])


def simulate(n, *, strengths=(1.0, 0.3, -0.3, -1.0), side=0.4, tie=0.6, seed=0):
    rng = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(4) for j in range(4) if i != j])[rng.integers(12, size=n)]
    half = (np.take(strengths, pairs[:, 0]) + side - np.take(strengths, pairs[:, 1])) / 2
    weights = np.stack([np.exp(half), np.exp(-half), np.full(n, tie)], axis=1)
    shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    answer = (rng.random(n)[:, None] > shares).sum(axis=1)
    return OPTIONS[pairs[:, 0]], OPTIONS[pairs[:, 1]], np.array([1.0, -1.0, 0.0])[answer]


def as_table(result):
    return {strength.option: strength.value for strength in result.strengths}


# By hand: a beats b 3 : 1, log odds log 3 shared by two strengths of mean 0. The variance of the log odds is
# 1/3 + 1/1, the strength is half of it.
def test_two_options_by_hand():
    result = fit_preferences(["a", "a", "a", "b"], ["b", "b", "b", "a"], [1, 1, -1, -1], side=False)

    assert [(s.option, s.value) for s in result.strengths] == [
        ("a", pytest.approx(log(3) / 2)),
        ("b", pytest.approx(-log(3) / 2)),
    ]
    assert result.strengths[0].error == pytest.approx(sqrt(1 / 3 + 1) / 2)
    assert result.strengths[0].low == pytest.approx(log(3) / 2 - 1.959963984540054 * sqrt(4 / 3) / 2)
    assert (result.side_effect, result.tie, result.n) == (None, 0, 4)


# Without ties the model is a logistic regression: statsmodels 0.15.0 is the oracle for values and errors.
@pytest.mark.parametrize("side", [True, False])
def test_without_ties_equals_a_logistic_regression(side):
    first, second, choice = simulate(400, tie=0.0)
    design = (first[:, None] == OPTIONS).astype(float) - (second[:, None] == OPTIONS)
    columns = design[:, 1:] if not side else np.column_stack([design[:, 1:], np.ones(len(choice))])

    oracle = sm.Logit(choice > 0, columns).fit(disp=0, tol=1e-12)
    result = fit_preferences(first, second, choice, side=side)

    strengths = np.concatenate([[0], oracle.params[:3]])
    assert as_table(result) == pytest.approx(dict(zip(OPTIONS, strengths - strengths.mean(), strict=True)), abs=1e-9)
    assert result.log_likelihood == pytest.approx(oracle.llf, abs=1e-9)
    if side:
        assert result.side_effect == pytest.approx(oracle.params[3], abs=1e-9)
        assert result.side_high - result.side_effect == pytest.approx(1.959963984540054 * oracle.bse[3], abs=1e-6)


# SciPy 1.17.1 minimises Davidson's likelihood, written out answer by answer.
def test_with_ties_the_likelihood_is_the_highest():
    first, second, choice = simulate(300)

    def minus_likelihood(parameters):
        strengths = dict(zip(OPTIONS, [*parameters[:3], -sum(parameters[:3])], strict=True))
        total = 0.0
        for f, s, c in zip(first, second, choice, strict=True):
            a, b = np.exp(strengths[f] + parameters[3]), np.exp(strengths[s])
            t = np.exp(parameters[4]) * np.sqrt(a * b)
            total -= np.log({1.0: a, -1.0: b, 0.0: t}[c] / (a + b + t))
        return total

    oracle = scipy.optimize.minimize(minus_likelihood, np.zeros(5), tol=1e-12)
    result = fit_preferences(first, second, choice)

    assert result.log_likelihood == pytest.approx(-oracle.fun, abs=1e-8)
    assert [as_table(result)[o] for o in "abc"] == pytest.approx(oracle.x[:3].tolist(), abs=1e-4)
    assert (result.side_effect, log(result.tie)) == pytest.approx(tuple(oracle.x[3:]), abs=1e-4)


def test_fitted_parameters_equal_the_simulated_ones():
    result = fit_preferences(*simulate(20_000))

    assert as_table(result) == pytest.approx({"a": 1.0, "b": 0.3, "c": -0.3, "d": -1.0}, abs=0.06)
    assert (result.side_effect, result.tie) == pytest.approx((0.4, 0.6), abs=0.06)
    assert (result.intransitive, result.triples) == (0, 4)


def test_intervals_cover_the_truth_as_often_as_they_say():
    truth = dict(zip(OPTIONS, (1.0, 0.3, -0.3, -1.0), strict=True))

    covered = [
        strength.low <= truth[strength.option] <= strength.high
        for seed in range(150)
        for strength in fit_preferences(*simulate(250, seed=seed)).strengths
    ]

    # Four standard errors of a share of .95 from 150 independent data sets.
    assert np.mean(covered) == pytest.approx(0.95, abs=4 * sqrt(0.95 * 0.05 / 150))


def test_swapping_the_sides_changes_the_sign_of_the_side_effect():
    first, second, choice = simulate(300)

    one, other = fit_preferences(first, second, choice), fit_preferences(second, first, -choice)

    assert as_table(one) == pytest.approx(as_table(other), abs=1e-9)
    assert one.side_effect == pytest.approx(-other.side_effect, abs=1e-9)


def test_a_circle_is_counted():
    result = fit_preferences(["a", "b", "c"], ["b", "c", "a"], [1, 1, 1], side=False)

    assert (result.intransitive, result.triples) == (1, 1)
    assert [strength.value for strength in result.strengths] == pytest.approx([0, 0, 0], abs=1e-9)


@pytest.mark.parametrize(
    ("first", "second", "choice", "reason"),
    [
        (["a", "a"], ["b", "b"], [1, 1], "no chain of choices leads from 'b' to 'a'"),
        (["a", "c"], ["b", "d"], [0, 0], "no chain of choices leads from 'a' to 'c'"),
        ([], [], [], r"0 option\(s\), at least 2 are needed"),
        (["a", "b"] * 3, ["b", "a"] * 3, [1] * 6, "all fall on one side, or all are ties"),
        (["a", "b"] * 3, ["b", "a"] * 3, [0] * 6, "all fall on one side, or all are ties"),
    ],
)
def test_undefined_says_why(first, second, choice, reason):
    result = fit_preferences(np.array(first, str), np.array(second, str), choice)

    assert all(isnan(strength.value) for strength in result.strengths)
    with pytest.raises(AssertionError, match=reason):
        raise AssertionError(result.reason)


@pytest.mark.parametrize(
    ("first", "second", "choice", "message"),
    [
        (["a"], ["a"], [1], "`first` and `second` must differ, got 'a', 'a', 1 at index 0"),
        (["a"], ["b"], [2], r"a choice is \+1, 0 or -1, got 'a', 'b', 2 at index 0"),
        (["a"], ["b", "c"], [1], r"`second` must have one entry per first \(1\), got 2"),
    ],
)
def test_refuses(first, second, choice, message):
    with pytest.raises(CorrelationInputError, match=message):
        fit_preferences(first, second, choice)
