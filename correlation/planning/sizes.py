"""Sample sizes: the number of units needed for a given power, and their cost.

All sizes are for a two-sided test at level alpha. If an image has several items, `design_effect` multiplies the number
of items: 1 + (m - 1) times the intraclass correlation of m items of an image [3]_.

References
----------
.. [1] I. Olkin, M. Siotani (1976). Asymptotic distribution of functions of a correlation matrix; as J. H. Steiger
   (1980). Tests for comparing elements of a correlation matrix. Psychological Bulletin 87, Eq. 3.
.. [2] C. Spearman (1910), W. Brown (1910): reliability of the mean of k judgments.
.. [3] L. Kish (1965). Survey Sampling, section 5.4.
.. [4] J. Cohen (1988). Statistical Power Analysis for the Behavioral Sciences, chapters 2 and 6.
.. [5] J. L. Fleiss, B. Levin, M. C. Paik (2003). Statistical Methods for Rates and Proportions, section 2.5.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, isfinite, sqrt

from correlation.errors import CorrelationInputError

# A larger study is not feasible: the requested difference is practically zero.
LARGEST = 10**9
_STEPS = 20
_FARTHEST = 2.0


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """The power, in [0, 1], of a study of `n` units."""

    n: int
    power: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A sufficiently large study.

    Attributes
    ----------
    unit
        What `n` counts: `items`, `images` or `pairs`.
    n, raters, judgments
        Number of units, judgments per unit, and their product.
    effect
        The difference to detect, in the unit of the compared values.
    power
        Probability in (0, 1) of detecting it with `n` units, at least the requested power.
    alpha
        Level of the two-sided test.
    curve
        The power of smaller and larger studies, up to twice `n`, by increasing size; it includes `n`.
    """

    unit: str
    n: int
    raters: int
    judgments: int
    effect: float
    power: float
    alpha: float
    curve: tuple[PowerPoint, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """Hours of work, and the price in the currency of the wage."""

    judgments: int
    hours: float
    price: float


def plan_metric_difference(
    *,
    first: float,
    second: float,
    between: float,
    reliability: float = 1.0,
    raters: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
    design_effect: float = 1.0,
) -> Plan:
    """Return the items needed to detect a difference between two metrics' Pearson correlations with mean judgments.

    Parameters
    ----------
    first, second
        Correlations of the metrics with perfectly reliable judgments, in (-1, 1).
    between
        Correlation of the metrics with each other.
    reliability
        Reliability of one judgment, in (0, 1]: the share of its variance that another rater would confirm (ICC1). The
        mean of k judgments has k r / (1 + (k - 1) r) [2]_, and correlations shrink by the square root of that.
    raters
        Judgments per item.

    >>> plan_metric_difference(first=0.6, second=0.5, between=0.7).n
    311
    """
    _check(power=power, alpha=alpha, design_effect=design_effect, raters=raters)
    for name, value in (("first", first), ("second", second), ("between", between)):
        if not -1 < value < 1:
            raise CorrelationInputError(f"`{name}` must be in (-1, 1), got {value}")
    if not 0 < reliability <= 1:
        raise CorrelationInputError(f"`reliability` must be in (0, 1], got {reliability}")
    shrink = sqrt(raters * reliability / (1 + (raters - 1) * reliability))
    a, b = first * shrink, second * shrink
    if 1 - a**2 - b**2 - between**2 + 2 * a * b * between <= 0:
        raise CorrelationInputError(
            f"correlations {first}, {second} and {between} cannot hold together: their matrix is not positive definite"
        )
    # [1]: variance of the difference of two correlations that share a variable, times n.
    shared = between * (1 - a**2 - b**2) - a * b * (1 - a**2 - b**2 - between**2) / 2
    variance = ((1 - a**2) ** 2 + (1 - b**2) ** 2 - 2 * shared) * design_effect
    return _find_plan("items", a - b, variance, raters, power, alpha)


def plan_system_difference(
    *,
    difference: float,
    deviation: float,
    rater_deviation: float = 0.0,
    raters: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Return the images needed to detect a difference between two systems' mean ratings, both rated on every image.

    Parameters
    ----------
    difference
        Difference of the mean ratings, on the rating scale.
    deviation
        Standard deviation over images of the difference averaged over all possible raters.
    rater_deviation
        Standard deviation of one rating around that average; a difference of two means of k ratings adds
        2 `rater_deviation`^2 / k to the variance.

    The power is that of the paired t test, by the noncentral t distribution [4]_.

    >>> plan_system_difference(difference=0.5, deviation=1.0).n
    34
    """
    _check(power=power, alpha=alpha, design_effect=1.0, raters=raters)
    if deviation < 0 or rater_deviation < 0 or deviation + rater_deviation == 0:
        raise CorrelationInputError(
            f"`deviation` and `rater_deviation` must be 0 or above, one of them above, got {deviation} and "
            f"{rater_deviation}"
        )
    effect = abs(difference) / sqrt(deviation**2 + 2 * rater_deviation**2 / raters)

    def compute_power(n: int) -> float:
        return _t_power(effect, n, alpha)

    images = _search(compute_power, power, smallest=2)
    curve = _trace(compute_power, images, smallest=2)
    # Both systems are rated on every image.
    return Plan("images", images, raters, 2 * images * raters, difference, compute_power(images), alpha, curve)


def plan_preference(
    *, share: float, ties: float = 0.0, power: float = 0.8, alpha: float = 0.05, design_effect: float = 1.0
) -> Plan:
    """Return the pairs needed to show that one of two systems is preferred, with one judgment per pair.

    Ties are left out of the test.

    Parameters
    ----------
    share
        Share of the decided choices for the better system, in (0, 1) and not 0.5.
    ties
        Share of judgments without a preference, in [0, 1).

    The power is that of the exact binomial test, by the normal approximation with continuity correction [5]_. The
    exact power is not monotonic in n: it jumps by 2 % at 200 pairs.

    >>> plan_preference(share=0.6).n
    204
    """
    _check(power=power, alpha=alpha, design_effect=design_effect, raters=1)
    if not 0 < share < 1:
        raise CorrelationInputError(f"`share` must be in (0, 1), got {share}")
    if not 0 <= ties < 1:
        raise CorrelationInputError(f"`ties` must be in [0, 1), got {ties}")

    def compute_power(n: int) -> float:
        decided = n * (1 - ties) / design_effect
        # [4]: normal approximation of the binomial test, with the deviation under the null 0.5 and the alternative.
        # Half a choice is subtracted for continuity; without it, the exact test has about 4 % less power at 200 pairs.
        reach = abs(share - 0.5) * decided - _normal_quantile(1 - alpha / 2) * 0.5 * sqrt(decided) - 0.5
        return _normal_share(reach / sqrt(share * (1 - share) * decided))

    pairs = _search(compute_power, power, smallest=1)
    curve = _trace(compute_power, pairs, smallest=1)
    return Plan("pairs", pairs, 1, pairs, share - 0.5, compute_power(pairs), alpha, curve)


def plan_from_pilot(
    *,
    difference: float,
    error: float,
    n_pilot: int,
    judgments_per_unit: int = 1,
    unit: str = "images",
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Return the units needed, given the difference and bootstrap standard error in a pilot of `n_pilot` units.

    The error decreases with the square root of the number of resampled units, for any coefficient or level; it does
    not tell the effect of more raters per unit. The difference in a pilot is uncertain itself: if possible, plan for
    the smallest difference that matters.

    >>> plan_from_pilot(difference=0.05, error=0.05, n_pilot=100).n
    785
    """
    _check(power=power, alpha=alpha, design_effect=1.0, raters=judgments_per_unit)
    if error <= 0 or n_pilot < 2:
        raise CorrelationInputError(f"`error` must be above 0 and `n_pilot` at least 2, got {error} and {n_pilot}")
    return _find_plan(unit, difference, error**2 * n_pilot, judgments_per_unit, power, alpha)


def estimate_cost(plan: Plan, *, seconds: float, wage: float, fee: float = 0.0) -> Cost:
    """Return the hours and price of a plan.

    Parameters
    ----------
    seconds
        Median time of one judgment, from a pilot.
    wage
        Wage per hour.
    fee
        Share that a panel adds to the wage, such as 0.33.

    >>> cost = estimate_cost(plan_preference(share=0.6), seconds=20, wage=12, fee=0.25)
    >>> round(cost.hours, 2), round(cost.price, 2)
    (1.13, 17.0)
    """
    for name, value in (("seconds", seconds), ("wage", wage), ("fee", fee)):
        if not (isfinite(value) and value >= 0):
            raise CorrelationInputError(f"`{name}` must be 0 or above, got {value}")
    hours = plan.judgments * seconds / 3600
    return Cost(plan.judgments, hours, hours * wage * (1 + fee))


def _find_plan(unit: str, effect: float, variance: float, raters: int, power: float, alpha: float) -> Plan:
    """Smallest n for a normally distributed estimate with variance `variance` / n."""

    def compute_power(n: int) -> float:
        shift, reach = abs(effect) * sqrt(n / variance), _normal_quantile(1 - alpha / 2)
        return _normal_share(shift - reach) + _normal_share(-shift - reach)

    n = _search(compute_power, power, smallest=4)
    return Plan(unit, n, raters, n * raters, effect, compute_power(n), alpha, _trace(compute_power, n, smallest=4))


def _trace(compute_power: Callable[[int], float], n: int, *, smallest: int) -> tuple[PowerPoint, ...]:
    """Return the power at evenly spaced sizes from the smallest one to `_FARTHEST` times `n`."""
    sizes = {max(smallest, round(n * _FARTHEST * step / _STEPS)) for step in range(_STEPS + 1)} | {n}
    return tuple(PowerPoint(size, compute_power(size)) for size in sorted(sizes))


def _search(compute_power: Callable[[int], float], power: float, *, smallest: int) -> int:
    """Smallest n with sufficient power, which increases with n."""
    low, high = smallest - 1, smallest
    while compute_power(high) < power:
        low, high = high, 2 * high
        if high > LARGEST:
            raise CorrelationInputError(f"the difference is too small: more than {LARGEST:,} units would be needed")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if compute_power(middle) >= power else (middle, high)
    return high


def _t_power(effect: float, n: int, alpha: float) -> float:
    from scipy.special import nctdtr, stdtrit

    shift = effect * sqrt(n)
    # Beyond this the t distribution is practically normal, and the noncentral one does not converge.
    if n > 10_000 or shift > 30:
        reach = _normal_quantile(1 - alpha / 2)
        return _normal_share(shift - reach) + _normal_share(-shift - reach)
    critical = float(stdtrit(n - 1, 1 - alpha / 2))
    return float(1 - nctdtr(n - 1, shift, critical) + nctdtr(n - 1, shift, -critical))


def _normal_quantile(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))


def _normal_share(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(z))


def _check(*, power: float, alpha: float, design_effect: float, raters: int) -> None:
    for name, value in (("power", power), ("alpha", alpha)):
        if not 0 < value < 1:
            raise CorrelationInputError(f"`{name}` must be in (0, 1), got {value}")
    if design_effect < 1 or raters < 1:
        raise CorrelationInputError(
            f"`design_effect` and the raters must be at least 1, got {design_effect} and {ceil(raters)}"
        )
