"""Wilson's interval against scipy's, and at its limits."""

import math

import pytest
from scipy.stats import binomtest

from correlation.resampling.shares import bound_share


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (1, 10), (5, 10), (81, 263), (263, 263)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_interval_is_wilsons(successes: int, n: int, confidence: float) -> None:
    expected = binomtest(successes, n).proportion_ci(confidence_level=confidence, method="wilson")

    assert bound_share(successes, n, confidence=confidence) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_trials_have_no_interval() -> None:
    assert all(math.isnan(bound) for bound in bound_share(0, 0))


@pytest.mark.parametrize(("successes", "n"), [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="must be between 0 and n = 3"):
        bound_share(successes, n)
