"""Williams' test for two correlations that share a variable.

References
----------
.. [1] E. J. Williams (1959). Regression Analysis, chapter 5.
.. [2] J. H. Steiger (1980). Tests for comparing elements of a correlation matrix. Psychological Bulletin 87, Eq. 7.
.. [3] Y. Graham, T. Baldwin (2014). Testing for Significance of Increased Correlation with Human Judgment. EMNLP.
"""

from dataclasses import dataclass
from math import isnan, nan, sqrt

from correlation.errors import CorrelationInputError


@dataclass(frozen=True, slots=True)
class WilliamsResult:
    """`t` with n - 3 degrees of freedom, positive if the first correlation is higher; two-sided `p_value`."""

    t: float
    p_value: float


def williams_test(*, first: float, second: float, between: float, n: int) -> WilliamsResult:
    """Test whether two metrics' Pearson correlations with the same judgments differ.

    Parameters
    ----------
    first, second
        Correlation of each metric with the judgments, in [-1, 1].
    between
        Correlation of the two metrics with each other.
    n
        Number of independent observations; with fewer than 4, or two identical metrics, the result is NaN.

    >>> result = williams_test(first=0.4, second=0.5, between=0.1, n=103)
    >>> round(result.t, 2), round(result.p_value, 2)
    (-0.89, 0.37)
    """
    from scipy.special import stdtr

    for name, value in (("first", first), ("second", second), ("between", between)):
        if not isnan(value) and abs(value) > 1:
            raise CorrelationInputError(f"`{name}` must be in [-1, 1], got {value}")
    if n < 4 or isnan(first + second + between):
        return WilliamsResult(nan, nan)
    # [2] Eq. 7
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - between) ** 3
    if spread <= 0:
        return WilliamsResult(nan, nan)
    t = (first - second) * sqrt((n - 1) * (1 + between) / spread)
    return WilliamsResult(t, float(2 * stdtr(n - 3, -abs(t))))
