"""Permutation tests for the difference of two metrics' correlations: PERM-BOTH, PERM-INPUT, PERM-SYSTEM.

Under the null hypothesis, two standardised metrics are exchangeable. Each permutation swaps their scores for a random
half of the units: single candidates (both), whole images (input) or whole systems (system).

The swapped scores are a selection from the pooled scores of both metrics, expressed as weights of 0 and 1 over twice
the rows. Order and ties of the pool are computed once, so that a permutation costs as much as a bootstrap resample.

References
----------
.. [1] D. Deutsch, R. Dror, D. Roth (2021). A Statistical Analysis of Summarization Evaluation Metrics Using Resampling
   Methods. TACL 9. doi:10.1162/tacl_a_00417
.. [2] B. Phipson, G. K. Smyth (2010). Permutation P-values Should Never Be Zero. Stat. Appl. Genet. Mol. Biol. 9(1).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from correlation.coefficients.bivariate import get_coefficient
from correlation.coefficients.weighted import prepare_weighted
from correlation.observations import Observations, average_rows
from correlation.resampling.counts import choose_chunk
from correlation.scaling import scale_values
from correlation.validation import BoolArray, FloatArray, IntArray

# Differences closer than this are treated as equal, since swapping changes the order of summation.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class PermutationPlan:
    """The number of permutations, and the entropy that determines each of them regardless of chunks or processes."""

    n_resamples: int
    entropy: int

    def draw_swaps(self, size: int, *, start: int, stop: int) -> BoolArray:
        """Which units are swapped in permutations start .. stop - 1, as booleans of shape (stop - start, size)."""
        swaps = np.empty((stop - start, size), dtype=np.bool_)
        for row, resample in enumerate(range(start, stop)):
            seed = np.random.SeedSequence([self.entropy, resample])
            swaps[row] = np.random.Generator(np.random.PCG64(seed)).random(size) < 0.5
        return swaps

    def iterate(self, unit: IntArray) -> Iterator[BoolArray]:
        """Yield which rows are swapped, in chunks of permutations; `unit` has codes 0 .. k - 1."""
        size = int(unit.max(initial=-1)) + 1
        step = choose_chunk(2 * len(unit))
        for start in range(0, self.n_resamples, step):
            yield self.draw_swaps(size, start=start, stop=min(start + step, self.n_resamples))[:, unit]


def permute_difference(
    rows: Observations, other: FloatArray, *, level: str, coefficient: str, unit: IntArray, plan: PermutationPlan
) -> FloatArray:
    """Return the difference of two correlations in each permutation, shape (n_resamples,), NaN where undefined.

    Parameters
    ----------
    rows
        Scores of the first metric with judgments, groups and systems; n rows.
    other
        Shape (n,): scores of the second metric for the same rows.
    unit
        Shape (n,): the units to swap, as codes 0 .. k - 1.
    """
    first, second = standardise(rows.x), standardise(other)
    swap = PREPARERS[level](replace(rows, x=first), second, coefficient)
    return np.concatenate([swap(swaps) for swaps in plan.iterate(unit)])


def count_extremes(differences: FloatArray, observed: float) -> float:
    """Two-sided p = (c + 1) / (n + 1), with c permutations at least as far from 0 as the observed difference [2]_.

    >>> count_extremes(np.array([0.1, -0.3, 0.2]), 0.2)
    0.75
    """
    if np.isnan(observed):
        return float("nan")
    defined = differences[~np.isnan(differences)]
    extreme = int(np.count_nonzero(np.abs(defined) >= abs(observed) - ROUNDING))
    return (extreme + 1) / (len(defined) + 1)


def standardise(scores: FloatArray) -> FloatArray:
    """Scores with mean 0 and standard deviation 1, which two metrics can exchange; a constant becomes 0."""
    scores = scale_values(scores)
    centred: FloatArray = scores - scores.mean()
    spread = float(scores.std())
    return centred / spread if spread > 0 else centred * 0


Swap = Callable[[BoolArray], FloatArray]


def _prepare_item(rows: Observations, other: FloatArray, coefficient: str) -> Swap:
    pool = np.concatenate([rows.x, other])
    target = np.concatenate([rows.y, rows.y])
    # Sorted, so that sums over equal (x, y) access memory sequentially.
    order = np.lexsort((pool, target))
    evaluate = prepare_weighted(coefficient, pool[order], target[order])
    row, is_other = order % len(rows.x), order >= len(rows.x)

    def swap(swaps: BoolArray) -> FloatArray:
        chosen = (np.take(swaps, row, axis=1) == is_other).astype(np.float64)
        return evaluate(chosen) - evaluate(1 - chosen)

    return swap


def _prepare_group(rows: Observations, other: FloatArray, coefficient: str) -> Swap:
    order = np.argsort(rows.group, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(rows.group))[:-1])
    evaluators = [
        prepare_weighted(coefficient, np.concatenate([rows.x[m], other[m]]), np.concatenate([rows.y[m], rows.y[m]]))
        for m in members
    ]

    def swap(swaps: BoolArray) -> FloatArray:
        first, second = [], []
        for evaluate, m in zip(evaluators, members, strict=True):
            chosen = np.concatenate([~swaps[:, m], swaps[:, m]], axis=1).astype(np.float64)
            first.append(evaluate(chosen))
            second.append(evaluate(1 - chosen))
        return _average_defined(first) - _average_defined(second)

    return swap


def _average_defined(values: list[FloatArray]) -> FloatArray:
    stacked = np.stack(values)
    with np.errstate(invalid="ignore"):
        means: FloatArray = np.nansum(stacked, axis=0) / np.count_nonzero(~np.isnan(stacked), axis=0)
    return means


def _prepare_system(rows: Observations, other: FloatArray, coefficient: str) -> Swap:
    compute = get_coefficient(coefficient)
    n_systems = int(rows.system.max(initial=-1)) + 1
    counts = np.bincount(rows.system, minlength=n_systems)
    target = np.bincount(rows.system, weights=rows.y) / counts

    def average(scores: FloatArray) -> FloatArray:
        means: FloatArray = np.bincount(rows.system, weights=scores, minlength=n_systems) / counts
        return means

    def swap(swaps: BoolArray) -> FloatArray:
        pairs = ((average(np.where(s, other, rows.x)), average(np.where(s, rows.x, other))) for s in swaps)
        return np.array([compute(first, target) - compute(second, target) for first, second in pairs])

    return swap


def _prepare_global(rows: Observations, other: FloatArray, coefficient: str) -> Swap:
    """Average the cells once: units contain whole cells, so the rows of a cell are always swapped together."""
    cell = rows.system * (int(rows.group.max(initial=0)) + 1) + rows.group
    code = np.unique(cell, return_inverse=True)[1]
    first_row = np.unique(cell, return_index=True)[1]
    swap_cells = _prepare_item(average_rows(rows, code), average_rows(replace(rows, x=other), code).x, coefficient)
    return lambda swaps: swap_cells(swaps[:, first_row])


PREPARERS: Mapping[str, Callable[[Observations, FloatArray, str], Swap]] = MappingProxyType(
    {"item": _prepare_item, "group": _prepare_group, "system": _prepare_system, "global": _prepare_global}
)
