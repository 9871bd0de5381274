"""Significance tests for differences between the pairwise accuracies of metrics.

Each pair of captions gives each metric a credit (`credit_pairs`). Under the null hypothesis, the credits of two metrics
are exchangeable, so that a permutation swaps them for a random half of the pairs or images.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import nan
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.comparison.compare import ComparisonTable, order_metrics, tabulate_outcomes
from correlation.comparison.methods import ComparisonOutcome, ComparisonRequest, bound_difference
from correlation.comparison.permutation import PermutationPlan, count_extremes
from correlation.defaults import TEST
from correlation.errors import CorrelationInputError
from correlation.observations import encode_keys
from correlation.resampling.counts import BootstrapPlan, Units
from correlation.validation import FloatArray, IntArray, as_floats, check_length


@dataclass(frozen=True, slots=True, eq=False)
class _Credited:
    """Credits of the pairs scored by all metrics: shapes (n,); `category` and `units` hold codes 0 .. k - 1."""

    credits: Mapping[str, FloatArray]
    category: IntArray
    units: Units
    request: ComparisonRequest
    entropy: int

    def average(self, credit: FloatArray) -> float:
        """The mean over categories of the mean credit."""
        return float((np.bincount(self.category, weights=credit) / np.bincount(self.category)).mean())

    @property
    def weights(self) -> FloatArray:
        """Weights of the pairs, so that the weighted sum of credits equals `average` up to rounding."""
        counts = np.bincount(self.category)
        weights: FloatArray = 1 / (counts[self.category] * max(1, len(counts)))
        return weights


def compare_accuracies(
    credits_by_metric: Mapping[str, ArrayLike],
    *,
    request: ComparisonRequest | None = None,
    images: ArrayLike | None = None,
    categories: ArrayLike | None = None,
    rng: np.random.Generator,
) -> ComparisonTable:
    """Test every difference of two accuracies.

    Parameters
    ----------
    credits_by_metric
        For each metric shape (n_pairs,), in [0, 1], as returned by `credit_pairs`; NaN = missing. A pair that one
        metric lacks is left out for all.
    request
        `perm-both` swaps pairs, `perm-input` whole images, `bootstrap` resamples `images` or `rows`. The default is
        1,000 permutations of images, or of pairs without images, with Holm's correction.
    images, categories
        Shape (n_pairs,): keys. With categories, the accuracy is the mean of the accuracies of the categories.

    Raises
    ------
    CorrelationInputError
        Fewer than two metrics, columns of different lengths, a test that does not apply to accuracies, or missing keys.

    Examples
    --------
    >>> table = compare_accuracies(
    ...     {"poor": [0, 1, 0, 0, 0, 0], "good": [1, 1, 1, 1, 1, 1]}, rng=np.random.default_rng(0)
    ... )
    >>> table.metrics, table.values, table.differences[0].p_value < 0.1
    (('good', 'poor'), (1.0, 0.16666666666666666), True)
    """
    request = request or ComparisonRequest("perm-both" if images is None else TEST)
    if request.test not in TESTS:
        raise CorrelationInputError(f"test {request.test!r} is not for accuracies, take one of: {', '.join(TESTS)}")
    credited, n_missing = _gather(credits_by_metric, request, images, categories, int(rng.integers(2**63)))
    n = len(credited.category)
    values = {name: credited.average(credit) if n else nan for name, credit in credited.credits.items()}
    ordered = order_metrics(values)
    test = TESTS[request.test](credited)
    outcomes = {
        (a, b): test(a, b, values[a] - values[b]) if n else ComparisonOutcome(nan) for a, b in combinations(ordered, 2)
    }
    return tabulate_outcomes(
        outcomes, ordered, level="pair", coefficient="accuracy", request=request, n=n, n_missing=n_missing
    )


def _gather(
    credits_by_metric: Mapping[str, ArrayLike],
    request: ComparisonRequest,
    images: ArrayLike | None,
    categories: ArrayLike | None,
    entropy: int,
) -> tuple[_Credited, int]:
    """The pairs scored by all metrics, and the number of pairs left out."""
    if len(credits_by_metric) < 2:
        raise CorrelationInputError(f"`credits_by_metric` must have at least two metrics, got {len(credits_by_metric)}")
    columns = {name: as_floats(f"credits[{name!r}]", column) for name, column in credits_by_metric.items()}
    first = next(iter(columns.values()))
    for name, column in columns.items():
        check_length(f"credits[{name!r}]", len(column), len(first), "pair")
    complete = ~np.any([np.isnan(column) for column in columns.values()], axis=0)
    codes = {"rows": np.arange(int(complete.sum()))}
    if images is not None:
        codes["images"] = encode_keys("images", images, complete)
    return (
        _Credited(
            credits={name: column[complete] for name, column in columns.items()},
            category=encode_keys("categories", categories, complete),
            units=Units.build(**codes),
            request=request,
            entropy=entropy,
        ),
        int(len(complete) - complete.sum()),
    )


def _find_unit(credited: _Credited, axis: str) -> IntArray:
    if axis not in credited.units.codes:
        known = ", ".join(credited.units.codes)
        raise CorrelationInputError(
            f"test {credited.request.test!r} of accuracies needs keys of `{axis}`, there are: {known}"
        )
    return credited.units.codes[axis]


Test = Callable[[str, str, float], ComparisonOutcome]


def _permute(axis: str) -> Callable[[_Credited], Test]:
    def prepare(credited: _Credited) -> Test:
        unit, weights = _find_unit(credited, axis), credited.weights
        plan = PermutationPlan(credited.request.n_resamples, credited.entropy)

        def test(first: str, second: str, observed: float) -> ComparisonOutcome:
            gains = weights * (credited.credits[first] - credited.credits[second])
            # Swapping a pair reverses the sign of its gain.
            differences = np.concatenate([gains.sum() - 2 * (swaps @ gains) for swaps in plan.iterate(unit)])
            return ComparisonOutcome(count_extremes(differences, observed))

        return test

    return prepare


def _bootstrap(credited: _Credited) -> Test:
    request = credited.request
    plan = BootstrapPlan(request.resampled, request.n_resamples, credited.entropy)
    for axis in request.resampled:
        _find_unit(credited, axis)
    member = np.eye(int(credited.category.max(initial=0)) + 1)[credited.category]
    columns = np.stack(list(credited.credits.values()))
    means = []
    with np.errstate(invalid="ignore"):
        for counts in plan.iterate(credited.units):
            weights = credited.units.weigh(counts)
            shares = [(weights * column) @ member / (weights @ member) for column in columns]
            means.append(np.mean(shares, axis=2).T)
    samples = dict(zip(credited.credits, np.concatenate(means).T, strict=True))

    def test(first: str, second: str, observed: float) -> ComparisonOutcome:
        return bound_difference(samples[first] - samples[second], observed, request.alpha)

    return test


TESTS: Mapping[str, Callable[[_Credited], Test]] = MappingProxyType(
    {"perm-both": _permute("rows"), "perm-input": _permute("images"), "bootstrap": _bootstrap}
)
