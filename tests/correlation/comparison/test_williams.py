from math import isnan, nan

import pytest
import scipy.stats

from correlation.comparison.williams import williams_test
from correlation.errors import CorrelationInputError


# R package psych, r.test(n = 103, r12 = .4, r13 = .5, r23 = .1): "t value -0.89 with probability < 0.37".
# Written out: |R| = 1 - .16 - .25 - .01 + 2 * .4 * .5 * .1 = .62, mean r = .45, (1 - .1)^3 = .729,
# t = -.1 sqrt(102 * 1.1 / (2 * 102/100 * .62 + .2025 * .729)).
def test_by_hand():
    t = -0.1 * (102 * 1.1 / (2 * 102 / 100 * 0.62 + 0.2025 * 0.729)) ** 0.5

    result = williams_test(first=0.4, second=0.5, between=0.1, n=103)

    assert result.t == pytest.approx(t, abs=1e-12)
    assert result.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(t), 100), abs=1e-12)
    assert (round(result.t, 2), round(result.p_value, 2)) == (-0.89, 0.37)


def test_swapping_the_metrics_changes_the_sign():
    one = williams_test(first=0.7, second=0.4, between=0.3, n=20)
    other = williams_test(first=0.4, second=0.7, between=0.3, n=20)

    assert (one.t, one.p_value) == (-other.t, other.p_value)


@pytest.mark.parametrize(
    ("first", "second", "between", "n"), [(0.5, 0.4, 0.3, 3), (nan, 0.4, 0.3, 20), (0.5, 0.5, 1.0, 20)]
)
def test_undefined(first, second, between, n):
    assert isnan(williams_test(first=first, second=second, between=between, n=n).p_value)


def test_refuses_what_is_no_correlation():
    with pytest.raises(CorrelationInputError, match=r"`second` must be in \[-1, 1\], got 40"):
        williams_test(first=0.5, second=40, between=0.1, n=10)
