import itertools
from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.power import TTestPower

from correlation.comparison.williams import williams_test
from correlation.errors import CorrelationInputError
from correlation.planning.sizes import (
    estimate_cost,
    plan_from_pilot,
    plan_metric_difference,
    plan_preference,
    plan_system_difference,
)


# By hand: variance ((1 - .36)^2 + (1 - .25)^2 - 2 s) with s = .7 * .39 - .15 * (.39 - .49) = .288: .3961;
# n = .3961 * ((1.959964 + .841621) / .1)^2 = 310.9.
def test_metric_difference_by_hand():
    variance = 0.64**2 + 0.75**2 - 2 * (0.7 * 0.39 - 0.15 * (0.39 - 0.49))
    n = variance * ((1.959963984540054 + 0.8416212335729143) / 0.1) ** 2

    plan = plan_metric_difference(first=0.6, second=0.5, between=0.7)

    assert plan.n == int(np.ceil(n))
    assert (plan.unit, plan.judgments, plan.raters) == ("items", plan.n, 1)
    assert plan.effect == pytest.approx(0.1)
    assert 0.8 <= plan.power < 0.805


def test_more_raters_of_an_item_need_fewer_items():
    metrics = {"first": 0.6, "second": 0.5, "between": 0.7}

    needed = [plan_metric_difference(**metrics, reliability=0.4, raters=k).n for k in (1, 3, 10, 1000)]

    assert needed == sorted(needed, reverse=True)
    assert needed[-1] == pytest.approx(plan_metric_difference(**metrics).n, rel=0.01)


# 2,000 simulated studies of the planned size, tested by Williams: their share of differences found is the power.
@pytest.mark.parametrize(("reliability", "raters"), [(1.0, 1), (0.5, 3)])
def test_metric_power_is_what_was_planned(reliability, raters):
    plan = plan_metric_difference(first=0.6, second=0.45, between=0.6, reliability=reliability, raters=raters)
    rng = np.random.default_rng(3)
    matrix = np.array([[1, 0.6, 0.45], [0.6, 1, 0.6], [0.45, 0.6, 1]])
    found = 0
    for _ in range(2000):
        truth, first, second = rng.multivariate_normal(np.zeros(3), matrix, size=plan.n).T
        noise = rng.normal(size=plan.n) * sqrt((1 - reliability) / reliability / raters)
        r = np.corrcoef([truth + noise, first, second])
        found += williams_test(first=r[0, 1], second=r[0, 2], between=r[1, 2], n=plan.n).p_value < 0.05

    assert found / 2000 == pytest.approx(plan.power, abs=4 * sqrt(0.8 * 0.2 / 2000))


# statsmodels 0.15.0 is the oracle of the paired t test.
@pytest.mark.parametrize("effect", [0.1, 0.3, 0.8])
@pytest.mark.parametrize("power", [0.8, 0.95])
def test_system_difference_equals_statsmodels(effect, power):
    oracle = TTestPower()

    plan = plan_system_difference(difference=effect, deviation=1.0, power=power)

    assert plan.n == int(np.ceil(oracle.solve_power(effect, power=power, alpha=0.05)))
    assert plan.power == pytest.approx(oracle.power(effect, plan.n, 0.05), abs=1e-6)
    assert plan.judgments == 2 * plan.n


def test_raters_noise_is_averaged():
    noisy = plan_system_difference(difference=0.3, deviation=0.6, rater_deviation=1.2, raters=4)
    same = plan_system_difference(difference=0.3, deviation=sqrt(0.36 + 2 * 1.44 / 4))

    assert noisy.n == same.n
    assert noisy.judgments == 2 * noisy.n * 4


# SciPy's binomial distribution: the exact test rejects from the smallest count whose tail is at most alpha / 2.
@pytest.mark.parametrize("share", [0.55, 0.6, 0.7])
@pytest.mark.parametrize("power", [0.8, 0.9, 0.95])
def test_preference_power_is_that_of_the_exact_test(share, power):
    n = plan_preference(share=share, power=power).n

    found = []
    for pairs in range(n, n + 6):
        critical = next(c for c in range(pairs // 2, pairs + 2) if binom.sf(c - 1, pairs, 0.5) <= 0.025)
        found.append(binom.sf(critical - 1, pairs, share) + binom.cdf(pairs - critical, pairs, share))

    # The exact power jumps from one n to the next: some six of them together say where it is.
    assert np.mean(found) == pytest.approx(power, abs=0.025)


def test_ties_need_more_pairs():
    assert plan_preference(share=0.6, ties=0.2).n == pytest.approx(plan_preference(share=0.6).n / 0.8, rel=0.01)


def test_a_pilot_scales_with_the_root_of_its_units():
    plan = plan_from_pilot(difference=0.02, error=0.01, n_pilot=50, judgments_per_unit=9)

    # (z + z) / .02 * .01 = 1.4008 standard errors more than the pilot's: 50 * 1.4008^2 = 98.1.
    assert (plan.n, plan.judgments) == (99, 99 * 9)


@pytest.mark.parametrize(
    "plan",
    [
        lambda **k: plan_metric_difference(first=0.5, second=0.4, between=0.5, **k),
        lambda **k: plan_system_difference(difference=0.2, deviation=1, **k),
        lambda **k: plan_preference(share=0.55, **k),
        lambda **k: plan_from_pilot(difference=0.1, error=0.2, n_pilot=20, **k),
    ],
)
def test_more_power_or_a_stricter_level_needs_more(plan):
    assert plan(power=0.8).n < plan(power=0.9).n
    assert plan(alpha=0.05).n < plan(alpha=0.01).n


def test_cost_is_hours_times_wage_and_fee():
    plan = plan_preference(share=0.6)

    cost = estimate_cost(plan, seconds=30, wage=15, fee=0.3)

    assert (cost.judgments, cost.hours, cost.price) == (plan.n, plan.n / 120, pytest.approx(plan.n / 120 * 19.5))


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda: plan_metric_difference(first=1, second=0.5, between=0), r"`first` must be in \(-1, 1\), got 1"),
        (lambda: plan_metric_difference(first=0.9, second=-0.9, between=0.9), "cannot hold together"),
        (
            lambda: plan_metric_difference(first=0.5, second=0.4, between=0.5, reliability=0),
            r"`reliability` must be in \(0, 1\], got 0",
        ),
        (lambda: plan_metric_difference(first=0.5, second=0.5, between=0.5), "the difference is too small: more than"),
        (lambda: plan_system_difference(difference=1, deviation=0), "one of them above, got 0 and 0.0"),
        (lambda: plan_preference(share=0.5), "the difference is too small"),
        (lambda: plan_preference(share=60), r"`share` must be in \(0, 1\), got 60"),
        (lambda: plan_preference(share=0.6, ties=1), r"`ties` must be in \[0, 1\), got 1"),
        (lambda: plan_preference(share=0.6, power=80), r"`power` must be in \(0, 1\), got 80"),
        (lambda: plan_preference(share=0.6, design_effect=0.5), "must be at least 1, got 0.5"),
        (lambda: plan_from_pilot(difference=1, error=0, n_pilot=5), "`error` must be above 0"),
        (lambda: estimate_cost(plan_preference(share=0.6), seconds=-1, wage=1), "`seconds` must be 0 or above, got -1"),
    ],
)
def test_refuses(plan, message):
    with pytest.raises(CorrelationInputError, match=message):
        plan()


@pytest.mark.parametrize(
    "plan",
    [
        plan_metric_difference(first=0.6, second=0.5, between=0.7),
        plan_system_difference(difference=2.0, deviation=0.5),
        plan_preference(share=0.6, ties=0.2),
        plan_from_pilot(difference=0.05, error=0.05, n_pilot=100),
    ],
)
def test_curve_rises_through_the_plan_to_twice_its_size(plan) -> None:
    sizes, powers = zip(*((point.n, point.power) for point in plan.curve), strict=True)

    assert list(sizes) == sorted(set(sizes))
    assert all(one <= other + 1e-12 for one, other in itertools.pairwise(powers))
    assert sizes[-1] == 2 * plan.n
    assert dict(zip(sizes, powers, strict=True))[plan.n] == plan.power
