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
.. [4] L. R. Ford (1957). Solution of a Ranking Problem from Binary Comparisons. Am. Math. Monthly 64(8).
"""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.validation import FloatArray, IntArray, as_floats, as_keys, check_length

# Odds of e**20 are 500 million to one, more than data can show: a larger estimate means a maximum at infinity.
LARGEST = 20.0


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
    reason = _explain_undefined(choices)
    if reason is None:
        design, columns = _design(choices, side=side)
        parameters, covariance, likelihood = _maximise(design, choices.choice)
        if float(np.abs(parameters).max()) > LARGEST:
            reason = "the choices fit better and better as a parameter grows: all fall on one side, or all are ties"
    if reason is not None:
        strengths = tuple(Strength(option, nan, nan, nan, nan) for option in choices.options)
        return PreferenceResult(
            strengths, None, None, None, nan, nan, intransitive, triples, len(choices.choice), confidence, reason
        )
    return _report(choices, columns, parameters, covariance, likelihood, (intransitive, triples), confidence, side=side)


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


def _explain_undefined(choices: _Choices) -> str | None:
    """Ford's condition [4]_: for each partition of the options in two, each side has an option that beats one of the
    other side."""
    k = len(choices.options)
    if k < 2:
        return f"{k} option(s), at least 2 are needed"
    reach = np.eye(k, dtype=np.bool_)
    won = choices.choice >= 0
    lost = choices.choice <= 0
    reach[choices.first[won], choices.second[won]] = True
    reach[choices.second[lost], choices.first[lost]] = True
    for middle in range(k):
        reach |= reach[:, middle : middle + 1] & reach[middle]
    if reach.all():
        return None
    i, j = (int(index) for index in np.argwhere(~reach)[0])
    return (
        f"no chain of choices leads from {choices.options[i]!r} to {choices.options[j]!r}: the best-fitting strengths "
        "are infinitely far apart"
    )


def _design(choices: _Choices, *, side: bool) -> tuple[FloatArray, int]:
    """Design matrix of the difference of log weights: k - 1 strengths (the last is minus their sum), order effect."""
    k = len(choices.options)
    basis = np.vstack([np.eye(k - 1), -np.ones((1, k - 1))])
    columns = [basis[choices.first] - basis[choices.second]]
    if side:
        columns.append(np.ones((len(choices.choice), 1)))
    design: FloatArray = np.hstack(columns)
    return design, k - 1


def _maximise(design: FloatArray, choice: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Maximise the concave log-likelihood by Newton's method; with ties, the last parameter is log t."""
    has_ties = bool((choice == 0).any())
    n_parameters = design.shape[1] + has_ties
    parameters = np.zeros(n_parameters)
    likelihood, gradient, information = _differentiate(parameters, design, choice, has_ties=has_ties)
    for _ in range(100):
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        scale = 1.0
        while True:
            new = _differentiate(parameters + scale * step, design, choice, has_ties=has_ties)
            # Halve the step until the likelihood does not decrease, since a full step may overshoot.
            if new[0] >= likelihood - 1e-12 * abs(likelihood) or scale < 1e-10:
                break
            scale /= 2
        parameters = parameters + scale * step
        likelihood, gradient, information = new
        if float(np.abs(scale * step).max(initial=0.0)) < 1e-12:
            break
    covariance: FloatArray = np.asarray(np.linalg.pinv(information), dtype=np.float64)
    return parameters, covariance, likelihood


def _differentiate(
    parameters: FloatArray, design: FloatArray, choice: FloatArray, *, has_ties: bool
) -> tuple[float, FloatArray, FloatArray]:
    """Log-likelihood, gradient and information of Davidson's model [2]_, in half the difference of log weights."""
    half = design @ parameters[: design.shape[1]] / 2
    log_tie = parameters[-1] if has_ties else -np.inf
    logs = np.stack([half, -half, np.full_like(half, log_tie)], axis=1)
    highest = logs.max(axis=1, keepdims=True)
    weights = np.exp(logs - highest)
    totals = weights.sum(axis=1, keepdims=True)
    shares = weights / totals
    answer = np.where(choice > 0, 0, np.where(choice < 0, 1, 2))
    likelihood = float((logs[np.arange(len(answer)), answer] - highest[:, 0] - np.log(totals[:, 0])).sum())
    # Sufficient statistics: half the choice for the difference, 1 for a tie.
    expected = (shares[:, 0] - shares[:, 1]) / 2
    residual = choice / 2 - expected
    gradient = design.T @ residual
    variance = (shares[:, 0] + shares[:, 1]) / 4 - expected**2
    information = design.T @ (design * variance[:, None])
    if has_ties:
        tie = shares[:, 2]
        cross = design.T @ (-expected * tie)
        gradient = np.append(gradient, float((choice == 0).sum() - tie.sum()))
        corner = float((tie * (1 - tie)).sum())
        information = np.block([[information, cross[:, None]], [cross[None, :], np.array([[corner]])]])
    return likelihood, gradient, information


def _report(
    choices: _Choices,
    columns: int,
    parameters: FloatArray,
    covariance: FloatArray,
    likelihood: float,
    circles: tuple[int, int],
    confidence: float,
    *,
    side: bool,
) -> PreferenceResult:
    from scipy.special import ndtri

    reach = float(ndtri((1 + confidence) / 2))
    basis = np.vstack([np.eye(columns), -np.ones((1, columns))])
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
        tie=float(np.exp(parameters[-1])) if (choices.choice == 0).any() else 0.0,
        log_likelihood=likelihood,
        intransitive=circles[0],
        triples=circles[1],
        n=len(choices.choice),
        confidence=confidence,
    )
