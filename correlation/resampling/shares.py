"""Intervals of shares: how many of n independent trials succeed."""

from math import nan, sqrt
from statistics import NormalDist


def bound_share(successes: float, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's interval of a share, within [0, 1]; (NaN, NaN) without trials.

    Parameters
    ----------
    successes
        From 0 to n; a tie between two outcomes may count as half a success, which makes the interval conservative.
    n
        Number of independent trials.
    confidence
        In (0, 1).

    Raises
    ------
    ValueError
        `successes` is not between 0 and n, or `confidence` not between 0 and 1.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference, JASA 22, 209-212.

    >>> [round(bound, 4) for bound in bound_share(81, 263)]
    [0.2553, 0.3662]
    """
    if not 0 <= successes <= n:
        raise ValueError(f"`successes` must be between 0 and n = {n}, got {successes}")
    if not 0 < confidence < 1:
        raise ValueError(f"`confidence` must be between 0 and 1, got {confidence}")
    if n == 0:
        return nan, nan
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)
