"""The tests available for comparing metrics: permutation tests, paired bootstrap, Williams' test."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isnan, nan
from types import MappingProxyType

import numpy as np

from correlation.comparison.multiple import CORRECTIONS
from correlation.comparison.permutation import PermutationPlan, count_extremes, permute_difference
from correlation.comparison.williams import williams_test
from correlation.correlate import correlate
from correlation.defaults import ALPHA, CORRECTION, RESAMPLES, TEST
from correlation.errors import CorrelationInputError, check_name
from correlation.observations import Observations
from correlation.resampling.counts import BootstrapPlan, Units
from correlation.resampling.estimators import prepare_estimator
from correlation.resampling.parallel import run_tasks
from correlation.validation import FloatArray, IntArray

# The number of resamples is this multiple of the minimum at which the smallest p-value can be significant.
HEADROOM = 2


def choose_resamples(n_pairs: int, *, alpha: float = ALPHA) -> int:
    """Return the number of resamples for tests of this many pairs, in multiples of 1,000.

    The smallest possible p-value, 1 / (n + 1), must be significant after correction over all pairs, with a margin so
    that single resamples beyond the observed difference rarely change a verdict.

    >>> [choose_resamples(n_pairs) for n_pairs in (1, 25, 45, 190)]
    [1000, 1000, 2000, 8000]
    """
    return max(1, ceil(HEADROOM * n_pairs / alpha / RESAMPLES)) * RESAMPLES


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The choice of a test for differences between metrics.

    Attributes
    ----------
    test
        `perm-both`, `perm-input`, `perm-system`: permutation tests that swap scores of candidates, images or systems;
        `bootstrap`: paired bootstrap over `resampled`; `williams`: Pearson correlations of independent rows.
    resampled
        Axes of the paired bootstrap; empty for the other tests.
    n_resamples
        Number of permutations or bootstrap resamples.
    correction
        `holm`, `bh` or `none`, over all pairs of metrics.
    alpha
        Significance level of the letters; 1 - alpha is the confidence of a bootstrapped difference.
    """

    test: str = TEST
    resampled: tuple[str, ...] = ()
    n_resamples: int = RESAMPLES
    correction: str = CORRECTION
    alpha: float = ALPHA

    def __post_init__(self) -> None:
        check_name("test", self.test, TESTS)
        if (self.test == "bootstrap") != bool(self.resampled):
            raise CorrelationInputError(
                f"`resampled` belongs to test 'bootstrap', got {self.test!r} with {self.resampled}"
            )
        check_name("correction", self.correction, CORRECTIONS)
        if not 0 < self.alpha < 1:
            raise CorrelationInputError(f"`alpha` must be in (0, 1), got {self.alpha}")
        if self.n_resamples < 1:
            raise CorrelationInputError(f"`n_resamples` must be at least 1, got {self.n_resamples}")

    @property
    def signature(self) -> str:
        """Return a signature such as `test:perm-input|n:1000|correction:holm|alpha:0.05`."""
        parts = [f"test:{self.test}"]
        parts += [f"resampled:{'+'.join(self.resampled)}"] if self.resampled else []
        parts += [] if self.test == "williams" else [f"n:{self.n_resamples}"]
        return "|".join([*parts, f"correction:{self.correction}", f"alpha:{self.alpha:g}"])


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The complete rows of all metrics, with the keys that the tests need."""

    scores: Mapping[str, FloatArray]
    rows: Observations
    units: Units
    cell: IntArray
    level: str
    coefficient: str
    n: int
    request: ComparisonRequest
    entropy: int | None
    processes: int = 1

    def require_entropy(self) -> int:
        if self.entropy is None:
            raise CorrelationInputError(f"`rng` is needed by test {self.request.test!r}, got None")
        return self.entropy

    def require_units(self, axis: str) -> IntArray:
        if axis not in self.units.codes:
            raise CorrelationInputError(f"test {self.request.test!r} needs keys of `{axis}`, none were given")
        return self.units.codes[axis]


@dataclass(frozen=True, slots=True)
class ComparisonOutcome:
    """Two-sided p-value of a difference and, for the bootstrap, its bounds; NaN where undefined."""

    p_value: float
    low: float | None = None
    high: float | None = None


def _permute(unit_of: Callable[[Compared], IntArray]) -> "Test":
    def test(
        compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]
    ) -> list[ComparisonOutcome]:
        plan = PermutationPlan(compared.request.n_resamples, compared.require_entropy())
        observed = {(first, second): values[first] - values[second] for first, second in pairs}
        # Undefined differences cannot be tested, and without rows there is nothing to permute.
        known = [pair for pair in pairs if not np.isnan(observed[pair])]
        permuted = run_tasks(_Permutations(compared, unit_of(compared), plan), known, processes=compared.processes)
        p_values = {
            pair: count_extremes(differences, observed[pair]) for pair, differences in zip(known, permuted, strict=True)
        }
        return [ComparisonOutcome(p_values.get(pair, float("nan"))) for pair in pairs]

    return test


@dataclass(frozen=True, slots=True, eq=False)
class _Permutations:
    """All permutations for a pair of metrics; a task is a pair."""

    compared: Compared
    unit: IntArray
    plan: PermutationPlan

    def prepare(self) -> Callable[[tuple[str, str]], FloatArray]:
        compared = self.compared
        return lambda pair: permute_difference(
            replace(compared.rows, x=compared.scores[pair[0]]),
            compared.scores[pair[1]],
            level=compared.level,
            coefficient=compared.coefficient,
            unit=self.unit,
            plan=self.plan,
        )


def _bootstrap(
    compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]
) -> list[ComparisonOutcome]:
    """Resample all metrics alike; p counts resampled differences as far from their mean as the observed one from 0."""
    request = compared.request
    plan = BootstrapPlan(request.resampled, request.n_resamples, compared.require_entropy())
    for axis in request.resampled:
        compared.require_units(axis)
    names = list(compared.scores)
    resampled = run_tasks(_Resamples(compared, plan), names, processes=compared.processes)
    samples = dict(zip(names, resampled, strict=True))
    return [
        bound_difference(samples[first] - samples[second], values[first] - values[second], request.alpha)
        for first, second in pairs
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Resamples:
    """All resamples for a metric; a task is the metric's name."""

    compared: Compared
    plan: BootstrapPlan

    def prepare(self) -> Callable[[str], FloatArray]:
        def resample(name: str) -> FloatArray:
            compared = self.compared
            rows = replace(compared.rows, x=compared.scores[name])
            estimator = prepare_estimator(compared.level, compared.coefficient, rows, compared.units)
            return np.concatenate([estimator(counts) for counts in self.plan.iterate(compared.units)])

        return resample


def bound_difference(sample: FloatArray, observed: float, alpha: float) -> ComparisonOutcome:
    """Bounds and p-value of a difference from bootstrap values of shape (n_resamples,), NaN where undefined."""
    defined = sample[~np.isnan(sample)]
    if len(defined) == 0 or isnan(observed):
        return ComparisonOutcome(nan, nan, nan)
    low, high = np.quantile(defined, [alpha / 2, 1 - alpha / 2])
    return ComparisonOutcome(count_extremes(defined - defined.mean(), observed), float(low), float(high))


def _williams(
    compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]
) -> list[ComparisonOutcome]:
    if compared.coefficient != "pearson" or compared.level == "group":
        raise CorrelationInputError(
            f"test 'williams' is for Pearson at item, system or global level, "
            f"got {compared.coefficient} at {compared.level}"
        )
    outcomes = []
    for first, second in pairs:
        between = correlate(
            compared.scores[first],
            compared.scores[second],
            level=compared.level,
            coefficient="pearson",
            groups=compared.rows.group,
            systems=compared.rows.system,
        ).value
        result = williams_test(first=values[first], second=values[second], between=between, n=compared.n)
        outcomes.append(ComparisonOutcome(result.p_value))
    return outcomes


Test = Callable[[Compared, Sequence[tuple[str, str]], Mapping[str, float]], list[ComparisonOutcome]]
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        "perm-both": _permute(lambda compared: compared.cell),
        "perm-input": _permute(lambda compared: compared.require_units("images")),
        "perm-system": _permute(lambda compared: compared.require_units("systems")),
        "bootstrap": _bootstrap,
        "williams": _williams,
    }
)
