"""The Dawid-Skene model: each rater has a confusion matrix, and each item one true level.

References
----------
.. [1] A. P. Dawid, A. M. Skene (1979). Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm.
   Applied Statistics 28(1), 20-28. doi:10.2307/2346806
"""

from dataclasses import dataclass

import numpy as np

from correlation.agreement.item_ratings import ItemRatings
from correlation.validation import FloatArray

# Keeps the logarithm of a level that a rater never used finite.
SMALLEST = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkeneResult:
    """`posterior` (n_items, n_levels): probability of each level; `prior` (n_levels,); `confusion` (n_raters, n_levels,
    n_levels): probability that a rater gives the last level if the middle one is true; `log_likelihood` of the
    judgments in nats; `n_iterations` used, and whether the fit `converged`."""

    posterior: FloatArray
    prior: FloatArray
    confusion: FloatArray
    log_likelihood: float
    n_iterations: int
    converged: bool


def fit_dawid_skene(ratings: ItemRatings, *, n_iterations: int = 1000, tolerance: float = 1e-9) -> DawidSkeneResult:
    """Fit by EM, starting from the vote shares [1]_, until the log-likelihood per judgment rises by less than
    `tolerance`.

    The result is a local maximum of the likelihood. With few judgments per rater, compare it with the majority.

    >>> ratings = ItemRatings.build(item=[0, 0, 0, 1, 1, 1], rater=[0, 1, 2] * 2, value=[1, 1, 2, 2, 2, 2])
    >>> fit_dawid_skene(ratings).posterior.argmax(axis=1).tolist()
    [0, 1]
    """
    counts = ratings.count_levels()
    posterior = counts / counts.sum(axis=1, keepdims=True)
    likelihood = -np.inf
    for iteration in range(1, n_iterations + 1):
        prior, confusion = _maximise(ratings, posterior)
        posterior, new_likelihood = _expect(ratings, prior, confusion)
        rise = new_likelihood - likelihood
        likelihood = new_likelihood
        if rise < tolerance * len(ratings.value):
            return DawidSkeneResult(posterior, prior, confusion, likelihood, iteration, converged=True)
    return DawidSkeneResult(posterior, prior, confusion, likelihood, n_iterations, converged=False)


def _maximise(ratings: ItemRatings, posterior: FloatArray) -> tuple[FloatArray, FloatArray]:
    n_levels = len(ratings.levels)
    # [1] Eq. 2.3: how often each rater gave each level, weighted by the probability of each true level.
    cell = ratings.rater * n_levels + ratings.level
    given = np.stack(
        [
            np.bincount(cell, weights=posterior[ratings.item, true], minlength=ratings.n_raters * n_levels)
            for true in range(n_levels)
        ],
        axis=1,
    )
    confusion = np.maximum(given.reshape(ratings.n_raters, n_levels, n_levels).transpose(0, 2, 1), SMALLEST)
    confusion /= confusion.sum(axis=2, keepdims=True)
    prior: FloatArray = np.maximum(posterior.mean(axis=0), SMALLEST)  # [1] Eq. 2.4
    return prior, confusion


def _expect(ratings: ItemRatings, prior: FloatArray, confusion: FloatArray) -> tuple[FloatArray, float]:
    evidence = np.log(confusion)[ratings.rater, :, ratings.level]
    joint = np.stack(
        [np.bincount(ratings.item, weights=evidence[:, true], minlength=ratings.n_items) for true in range(len(prior))],
        axis=1,
    ) + np.log(prior)
    highest = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - highest)
    totals = scaled.sum(axis=1, keepdims=True)
    return scaled / totals, float((np.log(totals) + highest).sum())
