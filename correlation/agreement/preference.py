"""Strengths from pairwise choices: the Bradley-Terry model with ties and an order effect.

With strength s (log scale, mean 0), order effect b in favour of the option shown first, and tie parameter t >= 0,
Davidson's model gives the first of a pair the weight exp(s_first + b), the second exp(s_second), and a tie
t * exp((s_first + b + s_second) / 2); the probability of an answer is its weight divided by the sum.

References
----------
.. [1] R. A. Bradley, M. E. Terry (1952). Rank Analysis of Incomplete Block Designs. Biometrika 39, 324-345.
.. [2] R. R. Davidson (1970). On Extending the Bradley-Terry Model to Accommodate Ties. JASA 65, 317-328.
.. [3] R. R. Davidson, R. J. Beaver (1977). On Extending the Bradley-Terry Model to Incorporate Within-Pair Order
   Effects. Biometrics 33, 693-702.
"""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from correlation.agreement.bradley_terry import DavidsonFit, find_undefined, fit_davidson, make_basis
from correlation.errors import CorrelationInputError
from correlation.validation import FloatArray, IntArray, as_floats, as_keys, check_length


@dataclass(frozen=True, slots=True)
class Strength:
    """One option: its log strength (the mean over options is 0), the standard error and the Wald interval."""

    option: str
    value: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PreferenceResult:
    """A fitted model.

    Attributes
    ----------
    strengths
        Strongest first; NaN if undefined, and `reason` then says why.
    side_effect, side_low, side_high
        Log odds added to the option shown first, with interval; 0 means no order effect. None if not fitted.
    tie
        Davidson's t: 0 means no ties, 1 that a tie between equal options is as likely as either choice.
    intransitive, triples
        Number of circular triples by majority, and number of triples whose three pairs were all judged and decided.
    n
        Number of choices used.
    """

    strengths: tuple[Strength, ...]
    side_effect: float | None
    side_low: float | None
    side_high: float | None
    tie: float
    log_likelihood: float
    intransitive: int
    triples: int
    n: int
    confidence: float
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Choices:
    first: IntArray
    second: IntArray
    choice: FloatArray
    options: tuple[str, ...]


def fit_preferences(
    first: ArrayLike, second: ArrayLike, choice: ArrayLike, *, side: bool = True, confidence: float = 0.95
) -> PreferenceResult:
    """Fit the strengths by maximum likelihood.

    Parameters
    ----------
    first, second
        Shape (n,): keys of the option shown first (left) and second.
    choice
        Shape (n,): +1 first preferred, -1 second, 0 no preference.
    side
        Whether to fit the order effect; otherwise it is assumed to be 0.
    confidence
        Confidence of the Wald intervals, in (0, 1). They assume independent choices.

    Raises
    ------
    CorrelationInputError
        Columns differ in length, an option is paired with itself, or a choice is not -1, 0 or 1.

    Examples
    --------
    >>> result = fit_preferences(["a"] * 3 + ["b"], ["b"] * 3 + ["a"], [1, 1, -1, -1], side=False)
    >>> [(s.option, round(s.value, 4)) for s in result.strengths]
    [('a', 0.5493), ('b', -0.5493)]
    """
    if not 0 < confidence < 1:
        raise CorrelationInputError(f"`confidence` must be in (0, 1), got {confidence}")
    choices = _check(first, second, choice)
    intransitive, triples = count_intransitive(choices.first, choices.second, choices.choice, len(choices.options))
    fit, reason = None, None if len(choices.options) > 1 else f"{len(choices.options)} option(s), at least 2 are needed"
    if reason is None:
        counts, pairs = _count(choices)
        reason = _explain_undefined(counts, pairs, choices.options)
    if reason is None:
        fit = fit_davidson(_design(pairs, len(choices.options), side=side), counts[None])
        if not fit.is_finite[0]:
            reason = "the choices fit better and better as a parameter grows: all fall on one side, or all are ties"
    if fit is None or reason is not None:
        strengths = tuple(Strength(option, nan, nan, nan, nan) for option in choices.options)
        return PreferenceResult(
            strengths, None, None, None, nan, nan, intransitive, triples, len(choices.choice), confidence, reason
        )
    return _report(choices, fit, (intransitive, triples), confidence, side=side)


def count_intransitive(first: IntArray, second: IntArray, choice: FloatArray, n_options: int) -> tuple[int, int]:
    """Circular triples by majority, and triples with three decided pairs.

    >>> count_intransitive(np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([1.0, 1.0, 1.0]), 3)
    (1, 1)
    """
    margin = np.zeros((n_options, n_options))
    np.add.at(margin, (first, second), choice)
    margin -= margin.T
    beats = (margin > 0).astype(np.int64)
    decided = beats + beats.T
    # The trace counts each circular triple once per member.
    circles = int(np.trace(beats @ beats @ beats)) // 3
    triples = int(np.trace(decided @ decided @ decided)) // 6
    return circles, triples


def _check(first: ArrayLike, second: ArrayLike, choice: ArrayLike) -> _Choices:
    first_keys, second_keys, choices = as_keys("first", first), as_keys("second", second), as_floats("choice", choice)
    check_length("second", len(second_keys), len(first_keys), "first")
    check_length("choice", len(choices), len(first_keys), "first")
    for rule, broken in (
        ("`first` and `second` must differ", first_keys == second_keys),
        ("a choice is +1, 0 or -1", ~np.isin(choices, (-1, 0, 1))),
    ):
        if broken.any():
            row = int(np.flatnonzero(broken)[0])
            shown = f"{str(first_keys[row])!r}, {str(second_keys[row])!r}, {choices[row]:g}"
            raise CorrelationInputError(f"{rule}, got {shown} at index {row}")
    options, codes = np.unique(np.concatenate([first_keys, second_keys]), return_inverse=True)
    n = len(choices)
    return _Choices(codes[:n].astype(np.int64), codes[n:].astype(np.int64), choices, tuple(str(o) for o in options))


def _count(choices: _Choices) -> tuple[FloatArray, IntArray]:
    """Return how often the first, the second and neither was chosen, (n_pairs, 3), and the pairs, (n_pairs, 2)."""
    pairs, pair = np.unique(np.stack([choices.first, choices.second], axis=1), axis=0, return_inverse=True)
    answer = np.where(choices.choice > 0, 0, np.where(choices.choice < 0, 1, 2))
    counts = np.bincount(pair.ravel() * 3 + answer, minlength=3 * len(pairs)).reshape(len(pairs), 3)
    return counts.astype(np.float64), pairs


def _explain_undefined(counts: FloatArray, pairs: IntArray, options: tuple[str, ...]) -> str | None:
    undefined = find_undefined(counts[None], pairs[:, 0], pairs[:, 1], len(options))[0]
    if not undefined.any():
        return None
    i, j = (int(index) for index in np.argwhere(undefined)[0])
    return (
        f"no chain of choices leads from {options[i]!r} to {options[j]!r}: the best-fitting strengths "
        "are infinitely far apart"
    )


def _design(pairs: IntArray, n_options: int, *, side: bool) -> FloatArray:
    """Design matrix of the difference of log weights: strengths of mean 0, then the order effect."""
    basis = make_basis(n_options)
    columns = [basis[pairs[:, 0]] - basis[pairs[:, 1]]]
    if side:
        columns.append(np.ones((len(pairs), 1)))
    return np.hstack(columns)


def _report(
    choices: _Choices, fit: DavidsonFit, circles: tuple[int, int], confidence: float, *, side: bool
) -> PreferenceResult:
    from scipy.special import ndtri

    reach = float(ndtri((1 + confidence) / 2))
    columns = len(choices.options) - 1
    parameters, covariance = fit.parameters[0], fit.covariance[0]
    basis = make_basis(len(choices.options))
    values = basis @ parameters[:columns]
    errors = np.sqrt(np.einsum("ij,jk,ik->i", basis, covariance[:columns, :columns], basis))
    strengths = [
        Strength(option, float(value), float(error), float(value - reach * error), float(value + reach * error))
        for option, value, error in zip(choices.options, values, errors, strict=True)
    ]
    effect = float(parameters[columns]) if side else None
    side_reach = reach * sqrt(float(covariance[columns, columns])) if side else 0.0
    return PreferenceResult(
        strengths=tuple(sorted(strengths, key=lambda strength: -strength.value)),
        side_effect=effect,
        side_low=None if effect is None else effect - side_reach,
        side_high=None if effect is None else effect + side_reach,
        tie=float(np.exp(fit.log_tie[0])),
        log_likelihood=float(fit.log_likelihood[0]),
        intransitive=circles[0],
        triples=circles[1],
        n=len(choices.choice),
        confidence=confidence,
    )
