"""Interim analyses of a running study: how much error each look may spend, and its critical bound.

Testing five times at the level .05 finds a nonexistent difference in 14 % of studies. An error-spending function sets
the error that may be spent up to each look. The bounds follow from it and from the correlation of the statistics of the
looks, so that neither the times nor the number of looks need be fixed in advance.

References
----------
[1] Lan, DeMets (1983), Discrete sequential boundaries for clinical trials. Biometrika 70(3), 659-663.
    doi:10.1093/biomet/70.3.659
[2] Armitage, McPherson, Rowe (1969), Repeated significance tests on accumulating data. JRSS A 132(2), 235-244.
    doi:10.2307/2343787
[3] Jennison, Turnbull (1989), Interim analyses: the repeated confidence interval approach. JRSS B 51(3), 305-361.
    doi:10.1111/j.2517-6161.1989.tb01433.x
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import e, inf, isfinite, log1p, sqrt
from types import MappingProxyType
from typing import Final

import numpy as np

from correlation.errors import CorrelationInputError, check_name
from correlation.validation import FloatArray

_FARTHEST: Final = 8.5
"""In standard deviations: the tail beyond is negligible in double precision."""

_SMALLEST_ERROR: Final = 1e-15
"""A look that may spend less error than this has an infinite bound."""

_NODES: Final = (64, 128, 256, 512)
_NODES_PER_STEP: Final = 12


@dataclass(frozen=True, slots=True)
class LookBound:
    """The critical bound of one look.

    Attributes
    ----------
    fraction
        Fraction of the planned information available, in (0, 1].
    spent
        Two-sided error that may have been spent up to this look.
    critical
        Critical absolute value of the standardised statistic; infinite if practically no error may be spent.
    level
        Two-sided level of a single test with this bound, in [0, 1].
    """

    fraction: float
    spent: float
    critical: float
    level: float

    @property
    def confidence(self) -> float:
        """Confidence of the repeated confidence interval at this look [3]: estimate ± `critical` standard errors."""
        return 1.0 - self.level


def spend_error(fraction: float, *, alpha: float, spending: str) -> float:
    """Return the two-sided error that may be spent up to a fraction of the information.

    Parameters
    ----------
    fraction
        In [0, 1].
    alpha
        The two-sided level of the whole study, in (0, 1); half of it for each direction.
    spending
        `obrien-fleming` (very little early) or `pocock` (about as much at each look); [1], alpha_1* and alpha_2*.

    Raises
    ------
    CorrelationInputError
        An argument is out of range.

    Examples
    --------
    >>> [round(spend_error(t, alpha=0.05, spending="pocock"), 4) for t in (0.0, 0.5, 1.0)]
    [0.0, 0.031, 0.05]
    >>> [round(spend_error(t, alpha=0.05, spending="obrien-fleming"), 4) for t in (0.2, 0.6, 1.0)]
    [0.0, 0.0076, 0.05]
    """
    check_name("spending", spending, SPENDINGS)
    if not 0.0 < alpha < 1.0:
        raise CorrelationInputError(f"`alpha` must be in (0, 1), got {alpha}")
    if not 0.0 <= fraction <= 1.0:
        raise CorrelationInputError(f"`fraction` must be in [0, 1], got {fraction}")
    return 2.0 * SPENDINGS[spending](fraction, alpha / 2.0) if fraction else 0.0


def find_bounds(fractions: Sequence[float], *, alpha: float, spending: str) -> tuple[LookBound, ...]:
    """Return the critical bound of each look.

    Parameters
    ----------
    fractions
        Fractions of the information at each look, ascending, in (0, 1]. Only looks that were taken: later looks do not
        affect earlier bounds.
    alpha, spending
        As in `spend_error`.

    Returns
    -------
    One bound per fraction. The statistics of two looks are assumed to be correlated by the square root of the ratio of
    their fractions, as for the mean of accumulating observations [2]. If the correlation is higher (more ratings of the
    same images), less error is spent than allowed.

    Raises
    ------
    CorrelationInputError
        Fractions are not ascending, or an argument is out of range.

    Examples
    --------
    >>> [round(bound.critical, 3) for bound in find_bounds([0.5, 1.0], alpha=0.05, spending="obrien-fleming")]
    [2.963, 1.969]
    """
    _check_fractions(fractions)
    from scipy.special import ndtr

    bounds: list[LookBound] = []
    path = _Path()
    before = 0.0
    for fraction in fractions:
        spent = spend_error(fraction, alpha=alpha, spending=spending)
        critical = path.step(fraction, spent - before)
        before = spent
        bounds.append(LookBound(fraction, spent, critical, float(2.0 * ndtr(-critical))))
    return tuple(bounds)


def _check_fractions(fractions: Sequence[float]) -> None:
    before = 0.0
    for fraction in fractions:
        if not before < fraction <= 1.0:
            raise CorrelationInputError(f"`fractions` must rise within (0, 1], got {fraction} after {before}")
        before = fraction


class _Path:
    """The distribution of a Brownian motion that has stayed within all bounds so far, at quadrature nodes [2]."""

    def __init__(self) -> None:
        self._time = 0.0
        self._places: FloatArray = np.zeros(1)
        self._masses: FloatArray = np.ones(1)

    def step(self, time: float, error: float) -> float:
        """Advance to a later time; return the standardised bound that is exceeded then with probability `error`."""
        spread = sqrt(time - self._time)
        limit = self._find_limit(error, time=time, spread=spread)
        self._move(min(limit, _FARTHEST * sqrt(time)), time=time, spread=spread)
        return limit / sqrt(time)

    def _find_limit(self, error: float, *, time: float, spread: float) -> float:
        from scipy.optimize import brentq
        from scipy.special import ndtr

        def miss(limit: float) -> float:
            beyond = ndtr((self._places - limit) / spread) + ndtr((-limit - self._places) / spread)
            return float(self._masses @ beyond) - error

        farthest = _FARTHEST * sqrt(time)
        if error < _SMALLEST_ERROR or miss(farthest) >= 0:
            return inf
        return float(brentq(miss, 0.0, farthest, xtol=1e-12))

    def _move(self, limit: float, *, time: float, spread: float) -> None:
        # Nodes must be closer together than the standard deviation of the step, or the next integral is inaccurate.
        wanted = int(_NODES_PER_STEP * limit / spread)
        nodes, weights = _make_nodes(next((number for number in _NODES if number >= wanted), _NODES[-1]))
        places = limit * nodes
        steps = (places[:, None] - self._places[None, :]) / spread
        density = np.exp(-0.5 * steps**2) @ self._masses / (spread * sqrt(2.0 * np.pi))
        self._time, self._places, self._masses = time, places, limit * weights * density


@cache
def _make_nodes(number: int) -> tuple[FloatArray, FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(number)
    return nodes, weights


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an estimate at a look; `low` and `high` are the repeated confidence interval [3]."""

    estimate: float
    error: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Width of the interval; NaN if undefined."""
        return self.high - self.low

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval excludes zero; False if it is undefined."""
        return self.low > 0.0 or self.high < 0.0


def judge_estimate(estimate: float, *, error: float, bound: LookBound) -> Verdict:
    """Return the repeated confidence interval of an estimate at a look.

    Parameters
    ----------
    estimate, error
        A value and its standard error; NaN if undefined, which settles nothing.
    bound
        The bound of this look.

    Examples
    --------
    >>> bound = LookBound(fraction=1.0, spent=0.05, critical=2.0, level=0.0455)
    >>> judge_estimate(0.3, error=0.1, bound=bound).excludes_zero
    True
    """
    if not isfinite(estimate) or not isfinite(error):
        return Verdict(estimate, error, float("nan"), float("nan"))
    half = bound.critical * error
    return Verdict(estimate, error, estimate - half if isfinite(half) else -inf, estimate + half)


def _spend_like_obrien_fleming(fraction: float, alpha: float) -> float:
    from scipy.special import ndtr, ndtri

    # [1] alpha_1*, one direction.
    return float(2.0 * ndtr(ndtri(alpha / 2.0) / sqrt(fraction)))


def _spend_like_pocock(fraction: float, alpha: float) -> float:
    # [1] alpha_2*, one direction.
    return alpha * log1p((e - 1.0) * fraction)


SPENDINGS: Final[Mapping[str, Callable[[float, float], float]]] = MappingProxyType(
    {"obrien-fleming": _spend_like_obrien_fleming, "pocock": _spend_like_pocock}
)
"""Error-spending functions of one direction, by name."""
