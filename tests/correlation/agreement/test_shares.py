"""Tests of shares and their bounds."""

from math import isnan

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from correlation.agreement.shares import estimate_share
from correlation.errors import CorrelationInputError


@pytest.mark.parametrize(("n_yes", "n"), [(0, 5), (3, 10), (50, 100), (400, 400)])
def test_bounds_of_independent_answers_are_those_of_wilson(n_yes, n) -> None:
    share = estimate_share([1.0] * n_yes + [0.0] * (n - n_yes), cluster=range(n))

    # Of n clusters of one answer each the variance is n / (n - 1) times the binomial one.
    effective = n / share.design_effect
    expected = proportion_confint(n_yes / n * effective, effective, method="wilson")
    assert (share.value, share.n, share.n_clusters) == (n_yes / n, n, n)
    assert share.design_effect == pytest.approx(n / (n - 1) if 0 < n_yes < n else 1.0)
    assert (share.low, share.high) == pytest.approx(expected)


def test_raters_that_always_say_the_same_count_once() -> None:
    values = np.repeat([1.0, 0.0, 1.0, 0.0, 1.0, 0.0], 50)
    clusters = np.repeat(range(6), 50)

    share = estimate_share(values, cluster=clusters)

    # 300 answers of six raters are six answers: variance 6 / 5 times that of a share of six.
    assert share.design_effect == pytest.approx(50 * 6 / 5)
    assert (share.low, share.high) == pytest.approx(proportion_confint(2.5, 5, method="wilson"))


def test_without_answers_nothing_is_known() -> None:
    share = estimate_share([], cluster=[])

    assert (isnan(share.value), isnan(share.low), share.n) == (True, True, 0)


@pytest.mark.parametrize(
    ("value", "cluster", "message"),
    [
        ([2.0], [0], r"`value` must be 0 to 1, got 2 to 2"),
        ([1.0], [0, 1], r"must have equal lengths, got \(1,\) and \(2,\)"),
    ],
)
def test_strange_input_is_refused(value, cluster, message) -> None:
    with pytest.raises(CorrelationInputError, match=message):
        estimate_share(value, cluster=cluster)
