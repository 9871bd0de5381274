from math import inf, isnan, nan

import numpy as np
import pytest

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.planning.stopping import LookBound, find_bounds, judge_estimate, spend_error

FIVE = (0.2, 0.4, 0.6, 0.8, 1.0)


# Two-sided .05, five equally spaced looks: Reboussin, DeMets, Kim and Lan (2000), Computations for group sequential
# boundaries using the Lan-DeMets spending function method, Controlled Clinical Trials 21(3), 190-207, and R's ldbounds
# (`ldBounds(t=1:5/5, iuse=c(1, 1))`, `iuse=c(2, 2)`), both to three digits.
@pytest.mark.parametrize(
    ("spending", "published"),
    [
        ("obrien-fleming", (4.877, 3.357, 2.680, 2.290, 2.031)),
        ("pocock", (2.438, 2.427, 2.410, 2.397, 2.386)),
    ],
)
def test_bounds_are_the_published_ones(spending, published):
    bounds = find_bounds(FIVE, alpha=0.05, spending=spending)

    assert [bound.critical for bound in bounds] == pytest.approx(published, abs=6e-4)
    assert [bound.fraction for bound in bounds] == list(FIVE)


def test_one_look_is_the_ordinary_test():
    (bound,) = find_bounds([1.0], alpha=0.05, spending="pocock")

    # The normal distribution's quantile .975.
    assert bound.critical == pytest.approx(1.959964, abs=1e-6)
    assert (bound.spent, bound.level, bound.confidence) == pytest.approx((0.05, 0.05, 0.95))


def test_spending_follows_the_formulas():
    # 4 - 4 Phi(z_.9875 / sqrt(.25)) = 4 - 4 Phi(2.241403 * 2) = 4 * 3.6862e-6; .05 ln(1 + (e - 1) / 4) = .05 * .357374.
    assert spend_error(0.25, alpha=0.05, spending="obrien-fleming") == pytest.approx(1.4745e-5, rel=1e-3)
    assert spend_error(0.25, alpha=0.05, spending="pocock") == pytest.approx(0.0178687, abs=1e-6)
    assert [spend_error(t, alpha=0.1, spending="pocock") for t in (0.0, 1.0)] == pytest.approx([0.0, 0.1])


def test_later_looks_do_not_matter_to_earlier_bounds():
    whole = find_bounds(FIVE, alpha=0.05, spending="pocock")

    assert find_bounds(FIVE[:2], alpha=0.05, spending="pocock") == whole[:2]


def test_look_far_too_early_has_no_finite_bound_and_costs_nothing():
    early, late = find_bounds([0.01, 1.0], alpha=0.05, spending="obrien-fleming")

    assert (early.critical, early.level) == (inf, 0.0)
    assert late.critical == pytest.approx(1.959964, abs=1e-5)


def test_crossings_without_a_difference_are_as_frequent_as_allowed():
    paths = np.random.default_rng(7).normal(size=(200_000, 5)).cumsum(axis=1) / np.sqrt(np.arange(1, 6))
    for spending in ("obrien-fleming", "pocock"):
        criticals = [bound.critical for bound in find_bounds(FIVE, alpha=0.05, spending=spending)]

        share = float((np.abs(paths) > criticals).any(axis=1).mean())

        # Four standard errors of a share of .05 in so many paths.
        assert share == pytest.approx(0.05, abs=0.002)
    # Armitage, McPherson and Rowe (1969), Table 2: five looks at the level .05 find 14.2 %.
    assert float((np.abs(paths) > 1.959964).any(axis=1).mean()) == pytest.approx(0.142, abs=0.0032)


def test_error_is_kept_where_two_equal_metrics_are_compared_on_a_growing_study():
    """900 studies of up to 240 images; the difference of two Pearson coefficients, its error from a bootstrap."""
    rng = np.random.default_rng(11)
    bounds = find_bounds([0.25, 0.5, 0.75, 1.0], alpha=0.05, spending="pocock")
    wrong = naive = 0
    for _ in range(900):
        people = rng.normal(size=240)
        metrics = people + rng.normal(size=(2, 240))
        verdicts = [_compare(metrics, people, n=60 * look, rng=rng) for look in range(1, 5)]
        wrong += any(abs(z) > bound.critical for z, bound in zip(verdicts, bounds, strict=True))
        naive += any(abs(z) > 1.96 for z in verdicts)

    # Three standard errors of .05 in 900 are .022; looking four times at 1.96 finds 12.6 % (Armitage et al., Table 2).
    assert wrong / 900 <= 0.05 + 0.022
    assert naive / 900 > 0.05 + 0.022


def _compare(metrics, people, *, n, rng):
    weights = rng.multinomial(n, np.full(n, 1 / n), size=80)
    drawn = _correlate(metrics[:, :n], people[:n], weights)
    whole = _correlate(metrics[:, :n], people[:n], np.ones((1, n)))
    return float((whole[0, 0] - whole[1, 0]) / (drawn[0] - drawn[1]).std(ddof=1))


def _correlate(scores, people, weights):
    total = weights.sum(axis=1)
    mean_x, mean_y = scores @ weights.T / total, people @ weights.T / total
    products = (scores * people) @ weights.T / total - mean_x * mean_y
    squares = scores**2 @ weights.T / total - mean_x**2
    return products / np.sqrt(squares * (people**2 @ weights.T / total - mean_y**2))


def test_estimate_is_judged_by_its_repeated_interval():
    bound = LookBound(fraction=0.5, spent=0.01, critical=3.0, level=0.0027)

    settled = judge_estimate(0.4, error=0.1, bound=bound)
    open_still = judge_estimate(-0.2, error=0.1, bound=bound)

    assert (settled.low, settled.high, settled.width) == pytest.approx((0.1, 0.7, 0.6))
    assert (settled.excludes_zero, open_still.excludes_zero) == (True, False)


def test_what_is_unknown_settles_nothing():
    bound = LookBound(fraction=0.5, spent=0.0, critical=inf, level=0.0)

    assert judge_estimate(0.4, error=0.1, bound=bound).excludes_zero is False
    for estimate, error in ((nan, 0.1), (0.4, nan)):
        verdict = judge_estimate(estimate, error=error, bound=bound)
        assert (isnan(verdict.width), verdict.excludes_zero) == (True, False)


@pytest.mark.parametrize(
    ("fractions", "alpha", "message"),
    [
        ([0.5, 0.5], 0.05, "`fractions` must rise within (0, 1], got 0.5 after 0.5"),
        ([0.0], 0.05, "`fractions` must rise within (0, 1], got 0.0 after 0.0"),
        ([1.1], 0.05, "`fractions` must rise within (0, 1], got 1.1 after 0.0"),
        ([1.0], 5.0, "`alpha` must be in (0, 1), got 5.0"),
    ],
)
def test_bad_numbers_are_refused(fractions, alpha, message):
    with pytest.raises(CorrelationInputError) as caught:
        find_bounds(fractions, alpha=alpha, spending="pocock")

    assert str(caught.value) == message


def test_unknown_spending_is_refused():
    with pytest.raises(UnknownNameError):
        spend_error(0.5, alpha=0.05, spending="peto")


def test_fraction_outside_is_refused():
    with pytest.raises(CorrelationInputError, match=r"`fraction` must be in \[0, 1\], got 2"):
        spend_error(2, alpha=0.05, spending="pocock")
