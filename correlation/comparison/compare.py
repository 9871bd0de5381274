"""Significance tests for differences between correlations with the same judgments."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb, isnan

import numpy as np
from numpy.typing import ArrayLike

from correlation.comparison.letters import assign_letters
from correlation.comparison.methods import TESTS, Compared, ComparisonOutcome, ComparisonRequest, choose_resamples
from correlation.comparison.multiple import adjust_p_values
from correlation.correlate import correlate
from correlation.defaults import TEST
from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.observations import Observations, encode_keys, prepare_observations
from correlation.resampling.estimators import build_units
from correlation.validation import BoolArray, FloatArray, IntArray, as_floats

__all__ = ["ComparisonRequest", "ComparisonTable", "Difference", "compare_metrics"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two metrics: `difference` = value of the first minus value of the second, two-sided p-value, corrected p-value,
    and bounds of the difference (None unless bootstrapped). NaN where a value is undefined."""

    first: str
    second: str
    difference: float
    p_value: float
    p_adjusted: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ComparisonTable:
    """All pairwise comparisons of metrics, sorted from the best metric.

    `metrics`, `values` and `letters` are parallel; two metrics share a letter if and only if no significant difference
    was found between them. `differences` contains each pair once, with the better metric first. Every correlation uses
    the same `n` rows or units; `n_missing` rows lack the judgment or a score of any metric, and were left out for all
    metrics.
    """

    coefficient: str
    level: str
    request: ComparisonRequest
    metrics: tuple[str, ...]
    values: tuple[float, ...]
    letters: tuple[str, ...]
    differences: tuple[Difference, ...]
    n: int
    n_missing: int

    def find(self, first: str, second: str) -> Difference:
        """Return the difference of two metrics, given in either order."""
        for difference in self.differences:
            if {difference.first, difference.second} == {first, second}:
                return difference
        raise UnknownNameError("pair of metrics", (first, second), self.metrics)


def compare_metrics(
    scores: Mapping[str, ArrayLike],
    judgments: ArrayLike,
    *,
    level: str,
    coefficient: str,
    request: ComparisonRequest | None = None,
    groups: ArrayLike | None = None,
    systems: ArrayLike | None = None,
    raters: ArrayLike | None = None,
    items: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    processes: int = 1,
) -> ComparisonTable:
    """Correlate every metric with the judgments and test all differences.

    Parameters
    ----------
    scores
        For each metric a column of shape (n,); higher is better, NaN = missing.
    judgments
        Shape (n,).
    level, coefficient, groups, systems, raters
        As in `correlate`.
    request
        The test; by default permutations of whole groups, or of rows without groups, with Holm's correction, as many
        as `choose_resamples` returns.
    items
        Shape (n,): the candidate of each row, which `perm-both` swaps as a whole. The default is (system, group) if
        both are given, else the row. Required for correct results if a candidate has several ratings.
    rng
        Source of randomness for permutations and bootstrap.
    processes
        Number of worker processes; does not affect the result.

    Raises
    ------
    CorrelationInputError
        Fewer than two metrics, columns of different lengths, or missing keys or `rng` that the test needs.

    Examples
    --------
    >>> table = compare_metrics(
    ...     {"good": [1, 2, 3, 4, 5], "poor": [2, 1, 2, 1, 3]},
    ...     [1, 2, 3, 4, 5],
    ...     level="item",
    ...     coefficient="kendall-b",
    ...     rng=np.random.default_rng(0),
    ... )
    >>> table.metrics, table.letters, round(table.differences[0].difference, 3)
    (('good', 'poor'), ('a', 'a'), 0.776)
    """
    if len(scores) < 2:
        raise CorrelationInputError(f"`scores` must have at least two metrics, got {len(scores)}")
    if request is None:
        test = "perm-both" if groups is None else TEST
        request = ComparisonRequest(test, n_resamples=choose_resamples(comb(len(scores), 2)))
    columns = {name: as_floats(f"scores[{name!r}]", column) for name, column in scores.items()}
    complete_judgments = _drop_incomplete(columns, judgments)
    results = {
        name: correlate(
            column, complete_judgments, level=level, coefficient=coefficient, groups=groups, systems=systems
        )
        for name, column in columns.items()
    }
    values = {name: result.value for name, result in results.items()}
    n, n_missing = results[next(iter(columns))].n, results[next(iter(columns))].n_missing
    compared = _gather(columns, complete_judgments, level, coefficient, groups, systems, raters, items, n, request, rng)
    ordered = order_metrics(values)
    pairs = list(combinations(ordered, 2))
    outcomes = dict(zip(pairs, TESTS[request.test](replace(compared, processes=processes), pairs, values), strict=True))
    return tabulate_outcomes(
        outcomes, ordered, level=level, coefficient=coefficient, request=request, n=n, n_missing=n_missing
    )


def _drop_incomplete(columns: Mapping[str, FloatArray], judgments: ArrayLike) -> FloatArray:
    """The judgments, with NaN where the score of any metric is missing."""
    checked = as_floats("judgments", judgments)
    for name, column in columns.items():
        if len(column) != len(checked):
            raise CorrelationInputError(
                f"`scores[{name!r}]` must have one entry per judgment ({len(checked)}), got {len(column)}"
            )
    missing = np.any([np.isnan(column) for column in columns.values()], axis=0)
    return np.where(missing, np.nan, checked)


def _gather(
    columns: Mapping[str, FloatArray],
    judgments: FloatArray,
    level: str,
    coefficient: str,
    groups: ArrayLike | None,
    systems: ArrayLike | None,
    raters: ArrayLike | None,
    items: ArrayLike | None,
    n: int,
    request: ComparisonRequest,
    rng: np.random.Generator | None,
) -> Compared:
    first = next(iter(columns.values()))
    rows, complete = prepare_observations(first, judgments, level=level, groups=groups, systems=systems)
    return Compared(
        scores={name: column[complete] for name, column in columns.items()},
        rows=rows,
        units=build_units(rows, complete, groups=groups, systems=systems, raters=raters),
        cell=_find_cells(rows, complete, items, both_keys=groups is not None and systems is not None),
        level=level,
        coefficient=coefficient,
        n=n,
        request=request,
        entropy=None if rng is None else int(rng.integers(2**63)),
    )


def _find_cells(rows: Observations, complete: BoolArray, items: ArrayLike | None, *, both_keys: bool) -> IntArray:
    if items is not None:
        return encode_keys("items", items, complete)
    if both_keys:
        cells = rows.system * (int(rows.group.max(initial=0)) + 1) + rows.group
        codes: IntArray = np.unique(cells, return_inverse=True)[1].astype(np.int64)
        return codes
    return np.arange(len(rows.x))


def tabulate_outcomes(
    outcomes: Mapping[tuple[str, str], ComparisonOutcome],
    values: Mapping[str, float],
    *,
    level: str,
    coefficient: str,
    request: ComparisonRequest,
    n: int,
    n_missing: int,
) -> ComparisonTable:
    """Build the table from completed tests: correct p-values over all pairs and assign letters.

    `values` are sorted from best to worst; `outcomes` contains every pair once, with the better metric first.
    """
    names = list(values)
    adjusted = adjust_p_values([outcome.p_value for outcome in outcomes.values()], correction=request.correction)
    matrix = np.full((len(names), len(names)), np.nan)
    differences = []
    for ((first, second), outcome), p_adjusted in zip(outcomes.items(), adjusted.tolist(), strict=True):
        i, j = names.index(first), names.index(second)
        matrix[i, j] = matrix[j, i] = p_adjusted
        difference = values[first] - values[second]
        differences.append(
            Difference(first, second, difference, outcome.p_value, p_adjusted, outcome.low, outcome.high)
        )
    ordered = tuple(values.values())
    return ComparisonTable(
        coefficient=coefficient,
        level=level,
        request=request,
        metrics=tuple(names),
        values=ordered,
        letters=assign_letters(ordered, matrix, alpha=request.alpha),
        differences=tuple(differences),
        n=n,
        n_missing=n_missing,
    )


def order_metrics(values: Mapping[str, float]) -> dict[str, float]:
    """Sort the metrics from best to worst, with undefined values last.

    >>> order_metrics({"a": 0.1, "b": float("nan"), "c": 0.2})
    {'c': 0.2, 'a': 0.1, 'b': nan}
    """
    names = sorted(values, key=lambda name: (isnan(values[name]), -values[name] if not isnan(values[name]) else 0.0))
    return {name: values[name] for name in names}
