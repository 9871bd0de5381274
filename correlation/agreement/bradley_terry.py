"""The Bradley-Terry model of choices with ties (Davidson), fitted to many tables of counts at once.

With difference d of the log weights of the two options of a pair and tie parameter t, the first is chosen with weight
exp(d / 2), the second with exp(-d / 2), and neither with t [1]_. d is linear in the parameters. The likelihood is
concave, so Newton's method with halved steps finds its maximum wherever there is one; `find_undefined` says where not.

References
----------
.. [1] R. R. Davidson (1970). On Extending the Bradley-Terry Model to Accommodate Ties. JASA 65, 317-328.
.. [2] L. R. Ford (1957). Solution of a Ranking Problem from Binary Comparisons. Am. Math. Monthly 64(8).
"""

from dataclasses import dataclass

import numpy as np

from correlation.validation import BoolArray, FloatArray, IntArray

# Odds of e**20 are 500 million to one, more than data can show: a larger estimate means a maximum at infinity.
LARGEST = 20.0
MOST_STEPS = 100
CLOSE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class DavidsonFit:
    """The maximum of the likelihood of each of n_tables tables of counts.

    Attributes
    ----------
    parameters
        Shape (n_tables, n_columns), in the order of the columns of the design.
    log_tie
        Shape (n_tables,): log t; minus infinity for a table without ties.
    covariance
        Shape (n_tables, n_columns + 1, n_columns + 1), for independent choices; log t is last.
    log_likelihood
        Shape (n_tables,).
    is_finite
        Shape (n_tables,): whether all parameters are within `LARGEST`.
    """

    parameters: FloatArray
    log_tie: FloatArray
    covariance: FloatArray
    log_likelihood: FloatArray
    is_finite: BoolArray


def fit_davidson(design: FloatArray, counts: FloatArray) -> DavidsonFit:
    """Maximise the likelihood of every table.

    Parameters
    ----------
    design
        Shape (n_pairs, n_columns): the difference of log weights of each pair is `design @ parameters`.
    counts
        Shape (n_tables, n_pairs, 3): how often the first, the second and neither was chosen, at least 0; whole numbers
        or weights.

    >>> fit = fit_davidson(np.array([[1.0]]), np.array([[[3.0, 1.0, 0.0]], [[1.0, 1.0, 2.0]]]))
    >>> fit.parameters.round(4).tolist(), np.exp(fit.log_tie).round(4).tolist()
    ([[1.0986], [0.0]], [0.0, 2.0])
    """
    n_columns = design.shape[1]
    has_ties = counts[:, :, 2].sum(axis=1) > 0
    parameters = np.zeros((len(counts), n_columns + 1))
    likelihood, gradient, information = _differentiate(parameters, design, counts, has_ties)
    moving = np.ones(len(counts), dtype=np.bool_)
    for _ in range(MOST_STEPS):
        at = np.flatnonzero(moving)
        if not len(at):
            break
        inverse = np.linalg.pinv(information[at], hermitian=True)
        step = np.einsum("rij,rj->ri", inverse, gradient[at])
        taken, new = _search(parameters[at], step, likelihood[at], design, counts[at], has_ties[at])
        parameters[at] += taken
        likelihood[at], gradient[at], information[at] = new
        reached = np.abs(taken).max(axis=1) < CLOSE
        # A maximum at infinity is approached for ever.
        moving[at] = ~reached & (np.abs(parameters[at]).max(axis=1) <= 2 * LARGEST)
    covariance: FloatArray = np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)
    return DavidsonFit(
        parameters=parameters[:, :n_columns],
        log_tie=np.where(has_ties, parameters[:, n_columns], -np.inf),
        covariance=covariance,
        log_likelihood=likelihood,
        is_finite=np.abs(parameters).max(axis=1) <= LARGEST,
    )


def find_undefined(counts: FloatArray, first: IntArray, second: IntArray, n_options: int) -> BoolArray:
    """Return for each table whether an option is not reached from another one by choices, shape (n_tables, k, k).

    By Ford's condition [2]_, all strengths are finite if and only if every option is reached from every other: from an
    option one reaches those that it was preferred to, those that tied with it, and whatever is reached from there.

    Parameters
    ----------
    counts
        As for `fit_davidson`.
    first, second
        Shape (n_pairs,): the options of each pair, as codes 0 .. n_options - 1.

    >>> counts = np.array([[[1.0, 0.0, 0.0]], [[1.0, 1.0, 0.0]], [[0.0, 0.0, 1.0]]])
    >>> find_undefined(counts, np.array([0]), np.array([1]), 2).any(axis=(1, 2)).tolist()
    [True, False, False]
    """
    reach = np.zeros((len(counts), n_options, n_options), dtype=np.bool_)
    reach[:, np.arange(n_options), np.arange(n_options)] = True
    # A pair may occur in both orders.
    for place, (one, other) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        tied = counts[:, place, 2] > 0
        reach[:, one, other] |= tied | (counts[:, place, 0] > 0)
        reach[:, other, one] |= tied | (counts[:, place, 1] > 0)
    for middle in range(n_options):
        reach |= reach[:, :, middle, None] & reach[:, None, middle, :]
    return ~reach


def make_basis(n_options: int) -> FloatArray:
    """Return the strengths of all options from n_options - 1 parameters, shape (n_options, n_options - 1): mean 0."""
    return np.vstack([np.eye(n_options - 1), -np.ones((1, n_options - 1))])


def _search(
    parameters: FloatArray,
    step: FloatArray,
    likelihood: FloatArray,
    design: FloatArray,
    counts: FloatArray,
    has_ties: BoolArray,
) -> tuple[FloatArray, tuple[FloatArray, FloatArray, FloatArray]]:
    """Halve the steps until no likelihood decreases, since a full step may overshoot."""
    scale = np.ones(len(parameters))
    while True:
        new = _differentiate(parameters + scale[:, None] * step, design, counts, has_ties)
        worse = (new[0] < likelihood - CLOSE * np.abs(likelihood)) & (scale >= 1e-10)
        if not worse.any():
            return scale[:, None] * step, new
        scale[worse] /= 2


def _differentiate(
    parameters: FloatArray, design: FloatArray, counts: FloatArray, has_ties: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log-likelihoods, gradients and information, in half the difference of log weights."""
    n_columns = design.shape[1]
    half = parameters[:, :n_columns] @ design.T / 2
    log_tie = np.where(has_ties, parameters[:, n_columns], -np.inf)
    logs = np.stack([half, -half, np.broadcast_to(log_tie[:, None], half.shape)], axis=2)
    highest = logs.max(axis=2, keepdims=True)
    weights = np.exp(logs - highest)
    totals = weights.sum(axis=2, keepdims=True)
    shares = weights / totals
    chances = logs - highest - np.log(totals)
    # 0 times minus infinity, of ties where there are none, is nothing.
    likelihood = np.where(counts > 0, counts * np.where(np.isfinite(chances), chances, 0.0), 0.0).sum(axis=(1, 2))
    n = counts.sum(axis=2)
    # Sufficient statistics: half the choice for the difference, 1 for a tie.
    expected = (shares[:, :, 0] - shares[:, :, 1]) / 2
    residual = (counts[:, :, 0] - counts[:, :, 1]) / 2 - n * expected
    variance = n * ((shares[:, :, 0] + shares[:, :, 1]) / 4 - expected**2)
    tie = shares[:, :, 2]
    gradient = np.zeros_like(parameters)
    gradient[:, :n_columns] = residual @ design
    gradient[:, n_columns] = np.where(has_ties, (counts[:, :, 2] - n * tie).sum(axis=1), 0.0)
    information = np.zeros((len(parameters), n_columns + 1, n_columns + 1))
    information[:, :n_columns, :n_columns] = np.einsum("ci,rc,cj->rij", design, variance, design, optimize=True)
    cross = (-n * expected * tie) @ design
    information[:, :n_columns, n_columns] = information[:, n_columns, :n_columns] = cross
    information[:, n_columns, n_columns] = (n * tie * (1 - tie)).sum(axis=1)
    return likelihood, gradient, information
