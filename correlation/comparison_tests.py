"""The tests that a comparison of metrics can use, by name: permutations, paired bootstrap, Williams."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from types import MappingProxyType

import numpy as np

from correlation.correlate import correlate
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.estimators import prepare_estimator
from correlation.multiple import CORRECTIONS
from correlation.observations import Observations
from correlation.permutation import PermutationPlan, count_extremes, permute_difference
from correlation.resampling import BootstrapPlan, Units
from correlation.validation import FloatArray, IntArray
from correlation.williams import williams_test


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """How metrics are to be compared.

    Attributes
    ----------
    test
        `perm-both`, `perm-input`, `perm-system`: swap scores of candidates, images, systems; `bootstrap`: paired
        bootstrap over `resampled`; `williams`: Pearson of independent rows.
    resampled
        Axes of the paired bootstrap; empty for the other tests.
    n_resamples
        Permutations or bootstrap resamples.
    correction
        `holm`, `bh` or `none`, over all pairs of metrics.
    alpha
        Level of significance of the rank clusters; 1 - alpha is the confidence of a bootstrapped difference.
    """

    test: str = "perm-both"
    resampled: tuple[str, ...] = ()
    n_resamples: int = 1000
    correction: str = "holm"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise UnknownNameError("test", self.test, TESTS)
        if (self.test == "bootstrap") != bool(self.resampled):
            raise CorrelationInputError(
                f"`resampled` belongs to test 'bootstrap', got {self.test!r} with {self.resampled}"
            )
        if self.correction not in CORRECTIONS:
            raise UnknownNameError("correction", self.correction, CORRECTIONS)
        if not 0 < self.alpha < 1:
            raise CorrelationInputError(f"`alpha` must be in (0, 1), got {self.alpha}")
        if self.n_resamples < 1:
            raise CorrelationInputError(f"`n_resamples` must be at least 1, got {self.n_resamples}")

    @property
    def signature(self) -> str:
        """For example `test:perm-both|n:1000|correction:holm|alpha:0.05`."""
        parts = [f"test:{self.test}"]
        parts += [f"resampled:{'+'.join(self.resampled)}"] if self.resampled else []
        parts += [] if self.test == "williams" else [f"n:{self.n_resamples}"]
        return "|".join([*parts, f"correction:{self.correction}", f"alpha:{self.alpha:g}"])


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Complete rows of all metrics, and what the tests need to know."""

    scores: Mapping[str, FloatArray]
    rows: Observations
    units: Units
    cell: IntArray
    level: str
    coefficient: str
    n: int
    request: ComparisonRequest
    entropy: int | None

    def require_entropy(self) -> int:
        if self.entropy is None:
            raise CorrelationInputError(f"`rng` is needed by test {self.request.test!r}, got None")
        return self.entropy

    def require_units(self, axis: str) -> IntArray:
        if axis not in self.units.codes:
            raise CorrelationInputError(f"test {self.request.test!r} needs keys of `{axis}`, none were given")
        return self.units.codes[axis]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Two-sided p-value of a difference and, where it was bootstrapped, its bounds; NaN where undefined."""

    p_value: float
    low: float | None = None
    high: float | None = None


def _permute(unit_of: Callable[[Compared], IntArray]) -> Test:
    def test(compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]) -> list[Outcome]:
        plan = PermutationPlan(compared.request.n_resamples, compared.require_entropy())
        unit = unit_of(compared)
        outcomes = []
        for first, second in pairs:
            rows = replace(compared.rows, x=compared.scores[first])
            differences = permute_difference(
                rows,
                compared.scores[second],
                level=compared.level,
                coefficient=compared.coefficient,
                unit=unit,
                plan=plan,
            )
            outcomes.append(Outcome(count_extremes(differences, values[first] - values[second])))
        return outcomes

    return test


def _bootstrap(compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]) -> list[Outcome]:
    """Resample all metrics alike; p counts resamples whose difference strays from its mean as far as what was seen."""
    request = compared.request
    plan = BootstrapPlan(request.resampled, request.n_resamples, compared.require_entropy())
    for axis in request.resampled:
        compared.require_units(axis)
    samples = {}
    for name, column in compared.scores.items():
        rows = replace(compared.rows, x=column)
        estimator = prepare_estimator(compared.level, compared.coefficient, rows, compared.units)
        samples[name] = np.concatenate([estimator(counts) for counts in plan.iterate(compared.units)])
    return [
        bound_difference(samples[first] - samples[second], values[first] - values[second], request.alpha)
        for first, second in pairs
    ]


def bound_difference(sample: FloatArray, observed: float, alpha: float) -> Outcome:
    """Bounds and p-value of a difference from its bootstrap sample, shape (n_resamples,), NaN where undefined."""
    defined = sample[~np.isnan(sample)]
    if len(defined) == 0 or isnan(observed):
        return Outcome(nan, nan, nan)
    low, high = np.quantile(defined, [alpha / 2, 1 - alpha / 2])
    return Outcome(count_extremes(defined - defined.mean(), observed), float(low), float(high))


def _williams(compared: Compared, pairs: Sequence[tuple[str, str]], values: Mapping[str, float]) -> list[Outcome]:
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
        outcomes.append(Outcome(result.p_value))
    return outcomes


Test = Callable[[Compared, Sequence[tuple[str, str]], Mapping[str, float]], list[Outcome]]
TESTS: Mapping[str, Test] = MappingProxyType(
    {
        "perm-both": _permute(lambda compared: compared.cell),
        "perm-input": _permute(lambda compared: compared.require_units("images")),
        "perm-system": _permute(lambda compared: compared.require_units("systems")),
        "bootstrap": _bootstrap,
        "williams": _williams,
    }
)
