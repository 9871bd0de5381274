"""The numbers by which systems are ranked, as functions of the weights of the judgments.

A resample of images and raters gives each judgment a weight; one call returns the numbers of all systems in many
resamples.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from correlation.agreement.bradley_terry import find_undefined, fit_davidson, make_basis
from correlation.validation import FloatArray, IntArray


class Statistic(Protocol):
    """A number for each system."""

    def estimate(self, weights: FloatArray) -> FloatArray:
        """Return the numbers, shape (n_resamples, n_systems), for weights (n_resamples, n); NaN where undefined."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class MeanValue:
    """The mean value of each system's rows.

    Attributes
    ----------
    system
        Shape (n,): codes 0 .. n_systems - 1.
    value
        Shape (n,), without NaN.
    n_systems
        The number of systems.
    """

    system: IntArray
    value: FloatArray
    n_systems: int

    def estimate(self, weights: FloatArray) -> FloatArray:
        order = np.argsort(self.system, kind="stable")
        ordered = weights[:, order]
        totals = _sum_runs(ordered, self.system[order], self.n_systems)
        sums = _sum_runs(ordered * self.value[order], self.system[order], self.n_systems)
        with np.errstate(invalid="ignore", divide="ignore"):
            means: FloatArray = np.where(totals > 0, sums / totals, np.nan)
        return means


@dataclass(frozen=True, slots=True, eq=False)
class WinShare:
    """The share of a system's comparisons that it won, a tie as half; a comparison counts for both of its systems.

    Attributes
    ----------
    first, second
        Shape (n,): codes 0 .. n_systems - 1.
    choice
        Shape (n,): +1 first preferred, -1 second, 0 neither.
    n_systems
        The number of systems.
    """

    first: IntArray
    second: IntArray
    choice: FloatArray
    n_systems: int

    def estimate(self, weights: FloatArray) -> FloatArray:
        both = MeanValue(
            system=np.concatenate([self.first, self.second]),
            value=(1 + np.concatenate([self.choice, -self.choice])) / 2,
            n_systems=self.n_systems,
        )
        return both.estimate(np.concatenate([weights, weights], axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class LogStrength:
    """The log strength by the Bradley-Terry model with Davidson's ties, of mean 0 over systems; as `WinShare`.

    In a resample in which some strength is infinite, all are NaN.
    """

    first: IntArray
    second: IntArray
    choice: FloatArray
    n_systems: int

    def count(self, weights: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
        """Return the weights of each pair's answers, shape (n_resamples, n_pairs, 3), and both systems of the pairs."""
        # With the lower code first, so that a pair has one row of counts.
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        choice = np.where(self.first <= self.second, self.choice, -self.choice)
        pairs, pair = np.unique(low * self.n_systems + high, return_inverse=True)
        cell = pair * 3 + np.where(choice > 0, 0, np.where(choice < 0, 1, 2))
        order = np.argsort(cell, kind="stable")
        counts = _sum_runs(weights[:, order], cell[order], 3 * len(pairs))
        return counts.reshape(len(weights), len(pairs), 3), pairs // self.n_systems, pairs % self.n_systems

    def estimate(self, weights: FloatArray) -> FloatArray:
        counts, first, second = self.count(weights)
        strengths = np.full((len(weights), self.n_systems), np.nan)
        defined = np.flatnonzero(~find_undefined(counts, first, second, self.n_systems).any(axis=(1, 2)))
        if len(defined) and self.n_systems > 1:
            basis = make_basis(self.n_systems)
            fit = fit_davidson(basis[first] - basis[second], counts[defined])
            strengths[defined] = np.where(fit.is_finite[:, None], fit.parameters @ basis.T, np.nan)
        return strengths


def _sum_runs(values: FloatArray, code: IntArray, n_codes: int) -> FloatArray:
    """Sum the columns of values, shape (n_resamples, n), by their sorted codes; shape (n_resamples, n_codes)."""
    sums = np.zeros((len(values), n_codes))
    if len(code):
        starts = np.flatnonzero(np.r_[True, code[1:] != code[:-1]])
        sums[:, code[starts]] = np.add.reduceat(values, starts, axis=1)
    return sums
