"""Confidence intervals for a correlation: bootstrap (percentile, BCa), jackknife, Fisher.

References
----------
.. [1] B. Efron (1987). Better Bootstrap Confidence Intervals. JASA 82. doi:10.1080/01621459.1987.10478410
.. [2] B. Efron, R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapters 11 and 14.
.. [3] R. A. Fisher (1921). On the probable error of a coefficient of correlation. Metron 1.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import atanh, isnan, nan, sqrt, tanh
from types import MappingProxyType

import numpy as np

from correlation.defaults import ALPHA, RESAMPLES
from correlation.errors import CorrelationInputError, check_name
from correlation.resampling.counts import AXES, Units, iterate_leave_out, plan_bootstrap
from correlation.resampling.estimators import Estimator
from correlation.validation import FloatArray


@dataclass(frozen=True, slots=True)
class IntervalRequest:
    """The choice of an interval.

    Attributes
    ----------
    method
        `percentile` and `bca` (bootstrap over `resampled`), `jackknife` (leave one unit of one axis out, for few
        systems), `fisher` (Pearson only, independent rows).
    resampled
        Axes in `AXES`: one, or the product of several; empty for `fisher`.
    n_resamples
        Number of bootstrap resamples.
    confidence
        Confidence level, in (0, 1).
    """

    method: str
    resampled: tuple[str, ...] = ()
    n_resamples: int = RESAMPLES
    confidence: float = 1 - ALPHA

    def __post_init__(self) -> None:
        check_name("interval method", self.method, INTERVALS)
        if not 0 < self.confidence < 1:
            raise CorrelationInputError(f"`confidence` must be in (0, 1), got {self.confidence}")
        for axis in self.resampled:
            check_name("axis of resampling", axis, AXES)
        least, most = AXES_NEEDED[self.method]
        if not least <= len(self.resampled) <= most or len(set(self.resampled)) != len(self.resampled):
            raise CorrelationInputError(
                f"method {self.method!r} needs {least} to {most} different axes in `resampled`, got {self.resampled}"
            )

    @property
    def signature(self) -> str:
        """Return a signature such as `ci:percentile|resampled:images+raters|n:1000|confidence:0.95`."""
        parts = [f"ci:{self.method}"]
        parts += [f"resampled:{'+'.join(self.resampled)}"] if self.resampled else []
        parts += [f"n:{self.n_resamples}"] if self.method in ("percentile", "bca") else []
        return "|".join([*parts, f"confidence:{self.confidence:g}"])


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` and `high` in the unit of the value (NaN if undefined), the request, and the number of resamples (or
    jackknife replicates) left out because their value is undefined."""

    low: float
    high: float
    request: IntervalRequest
    n_undefined: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Estimated:
    """A value with what is needed to compute an interval for it."""

    coefficient: str
    value: float
    n: int
    estimator: Estimator
    units: Units


def compute_interval(
    estimated: Estimated, request: IntervalRequest, *, rng: np.random.Generator | None = None
) -> Interval:
    """Compute the requested interval; the bootstrap requires `rng`, and an undefined value has no interval."""
    for axis in request.resampled:
        if axis not in estimated.units.codes:
            raise CorrelationInputError(f"`{axis}` are to be resampled, but no such keys were given")
    if isnan(estimated.value):
        return Interval(nan, nan, request)
    return INTERVALS[request.method](estimated, request, rng)


def resample_estimates(
    estimated: Estimated, request: IntervalRequest, *, rng: np.random.Generator | None
) -> FloatArray:
    """Return the value in each resample, shape (n_resamples,), NaN where undefined."""
    if rng is None:
        raise CorrelationInputError(f"`rng` is needed by method {request.method!r}, got None")
    plan = plan_bootstrap(request.resampled, n_resamples=request.n_resamples, rng=rng)
    return np.concatenate([estimated.estimator(counts) for counts in plan.iterate(estimated.units)])


def _percentile(estimated: Estimated, request: IntervalRequest, rng: np.random.Generator | None) -> Interval:
    return bound_resamples(resample_estimates(estimated, request, rng=rng), request)


def bound_resamples(values: FloatArray, request: IntervalRequest) -> Interval:
    """Return the percentile interval of the values in all resamples, shape (n_resamples,), NaN where undefined."""
    tail = (1 - request.confidence) / 2
    return _take_quantiles(values, tail, 1 - tail, request)


def _bca(estimated: Estimated, request: IntervalRequest, rng: np.random.Generator | None) -> Interval:
    from scipy.special import ndtr, ndtri

    values = resample_estimates(estimated, request, rng=rng)
    defined = values[~np.isnan(values)]
    below = (np.mean(defined < estimated.value) + np.mean(defined <= estimated.value)) / 2 if len(defined) else 0.0
    if not 0 < below < 1:
        # All resamples are on one side of the value, so the bias correction is infinite.
        return Interval(nan, nan, request, int(np.isnan(values).sum()))
    bias = ndtri(below)
    acceleration = _accelerate(estimated, request.resampled)
    tail = (1 - request.confidence) / 2
    # [1] Eq. 2.3
    low, high = (
        float(ndtr(bias + (bias + z) / (1 - acceleration * (bias + z)))) for z in (ndtri(tail), ndtri(1 - tail))
    )
    return _take_quantiles(values, low, high, request)


def _accelerate(estimated: Estimated, axes: tuple[str, ...]) -> float:
    """Acceleration, [2] Eq. 14.15, from the leave-one-out influences of all resampled axes."""
    influences = []
    for axis in axes:
        left_out = _leave_out(estimated, axis)
        left_out = left_out[~np.isnan(left_out)]
        influences.append((len(left_out) - 1) * (left_out.mean() - left_out) if len(left_out) else left_out)
    scaled = np.concatenate([u / max(1, len(u)) for u in influences])
    spread = float((scaled**2).sum())
    return float((scaled**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0


def _jackknife(estimated: Estimated, request: IntervalRequest, _rng: np.random.Generator | None) -> Interval:
    from scipy.special import stdtrit

    left_out = _leave_out(estimated, request.resampled[0])
    k = len(left_out)
    undefined = int(np.isnan(left_out).sum())
    if k < 3 or undefined:
        return Interval(nan, nan, request, undefined)
    # [2] Eq. 11.5
    error = sqrt((k - 1) / k * float(((left_out - left_out.mean()) ** 2).sum()))
    reach = float(stdtrit(k - 1, (1 + request.confidence) / 2)) * error
    return Interval(max(-1.0, estimated.value - reach), min(1.0, estimated.value + reach), request)


def _fisher(estimated: Estimated, request: IntervalRequest, _rng: np.random.Generator | None) -> Interval:
    from scipy.special import ndtri

    if estimated.coefficient != "pearson":
        raise CorrelationInputError(f"method 'fisher' is for Pearson, got coefficient {estimated.coefficient!r}")
    if estimated.n < 4:
        return Interval(nan, nan, request)
    if abs(estimated.value) == 1:
        return Interval(estimated.value, estimated.value, request)
    reach = float(ndtri((1 + request.confidence) / 2)) / sqrt(estimated.n - 3)
    centre = atanh(estimated.value)
    return Interval(tanh(centre - reach), tanh(centre + reach), request)


def _leave_out(estimated: Estimated, axis: str) -> FloatArray:
    return np.concatenate([estimated.estimator(counts) for counts in iterate_leave_out(axis, estimated.units)])


def _take_quantiles(values: FloatArray, low: float, high: float, request: IntervalRequest) -> Interval:
    defined = values[~np.isnan(values)]
    if len(defined) == 0:
        return Interval(nan, nan, request, len(values))
    bounds = np.quantile(defined, [low, high])
    return Interval(float(bounds[0]), float(bounds[1]), request, len(values) - len(defined))


INTERVALS: Mapping[str, Callable[[Estimated, IntervalRequest, np.random.Generator | None], Interval]] = (
    MappingProxyType({"percentile": _percentile, "bca": _bca, "jackknife": _jackknife, "fisher": _fisher})
)
# Minimal and maximal number of axes for each method.
AXES_NEEDED: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"percentile": (1, 3), "bca": (1, 3), "jackknife": (1, 1), "fisher": (0, 0)}
)
