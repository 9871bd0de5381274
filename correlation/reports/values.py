"""The parts of a report: metrics, human ceilings, differences and the design.

None means undefined or not computed, here and in every output format.
"""

from dataclasses import dataclass

from correlation.comparison.methods import ComparisonRequest
from correlation.protocols.row import ResultMeasure
from correlation.resampling.intervals import IntervalRequest


@dataclass(frozen=True, slots=True)
class ReportMetric:
    """A metric's id, and the signature of its scores (empty if not given)."""

    id: str
    signature: str = ""


@dataclass(frozen=True, slots=True)
class ReportCeiling:
    """A human ceiling: the mean over `n_parts` comparisons with `n` observations in total."""

    method: str
    level: str
    coefficient: str
    category: str | None
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_parts: int
    reason: str | None = None

    @property
    def measure(self) -> ResultMeasure:
        return ResultMeasure(self.level, self.coefficient, self.category)


@dataclass(frozen=True, slots=True)
class ReportDifference:
    """The value of the first metric minus that of the second, on the `n` observations common to all metrics.

    `p_value` is two-sided, `p_adjusted` is corrected over all pairs of the measure; the bounds are None unless the
    test is a bootstrap.
    """

    level: str
    coefficient: str
    category: str | None
    first: str
    second: str
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_adjusted: float | None
    n: int
    n_missing: int

    @property
    def measure(self) -> ResultMeasure:
        return ResultMeasure(self.level, self.coefficient, self.category)


@dataclass(frozen=True, slots=True)
class ReportDesign:
    """How intervals and differences were computed.

    Attributes
    ----------
    method, clusters
        The interval's method and what it resamples (axes, as in `IntervalRequest`); no method means no intervals.
    test, correction, alpha
        As in `ComparisonRequest`; no test means no differences. 1 - alpha is the confidence of the intervals.
    resamples
        Number of resamples of every interval.
    seed
        An integer that, given as `rng`, reproduces the report byte for byte.
    test_resamples
        Number of permutations or resamples of every test; None if equal to `resamples`.
    """

    method: str | None
    clusters: tuple[str, ...]
    test: str | None
    correction: str
    alpha: float
    resamples: int
    seed: int
    test_resamples: int | None = None

    def __post_init__(self) -> None:
        # Invalid values raise an error here, before anything is computed.
        _ = self.interval, self.comparison

    @property
    def interval(self) -> IntervalRequest | None:
        if self.method is None:
            return None
        return IntervalRequest(self.method, self.clusters, self.resamples, confidence=1 - self.alpha)

    @property
    def comparison(self) -> ComparisonRequest | None:
        if self.test is None:
            return None
        resampled = self.clusters if self.test == "bootstrap" else ()
        times = self.resamples if self.test_resamples is None else self.test_resamples
        return ComparisonRequest(self.test, resampled, times, self.correction, self.alpha)

    @property
    def signature(self) -> str:
        """Interval, test and seed, to print under a table."""
        made = [request.signature for request in (self.interval, self.comparison) if request]
        return " / ".join([*made, f"seed:{self.seed}"])
