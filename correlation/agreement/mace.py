"""MACE: every rater either knows the true level of an item or answers by habit.

References
----------
.. [1] D. Hovy, T. Berg-Kirkpatrick, A. Vaswani, E. Hovy (2013). Learning Whom to Trust with MACE. NAACL-HLT,
   1120-1130. aclanthology.org/N13-1132
"""

from dataclasses import dataclass

import numpy as np

from correlation.agreement.item_ratings import ItemRatings
from correlation.validation import FloatArray

# Priors of [1], section 3: Beta(.5, .5) on a rater's competence, Dirichlet(10) on the habit.
COMPETENCE_PRIOR = 0.5
HABIT_PRIOR = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class MaceResult:
    """`posterior` (n_items, n_levels): probability of each level; `competence` (n_raters,): probability in [0, 1] that
    a rater knows the answer rather than following a habit; `n_iterations` used, and whether the fit `converged`."""

    posterior: FloatArray
    competence: FloatArray
    n_iterations: int
    converged: bool


def fit_mace(ratings: ItemRatings, *, n_iterations: int = 1000, tolerance: float = 1e-9) -> MaceResult:
    """Fit by variational Bayes [1]_ until no probability of a level changes by more than `tolerance`.

    Starts from equal competence and uniform habits instead of random restarts, so that the result is deterministic.

    >>> ratings = ItemRatings.build(item=[0, 0, 0, 1, 1, 1], rater=[0, 1, 2] * 2, value=[1, 1, 2, 2, 2, 2])
    >>> fit_mace(ratings).posterior.argmax(axis=1).tolist()
    [0, 1]
    """
    n_levels = len(ratings.levels)
    knowing = np.full((ratings.n_raters, 2), 0.5)
    habit = np.full((ratings.n_raters, n_levels), 1 / n_levels)
    posterior = np.full((ratings.n_items, n_levels), 1 / n_levels)
    converged = False
    iteration = 0
    while iteration < n_iterations and not converged:
        iteration += 1
        before = posterior
        posterior, knows = _expect(ratings, knowing, habit)
        knowing, habit = _maximise(ratings, knows)
        converged = bool(np.abs(posterior - before).max(initial=0.0) < tolerance)
    competence = knowing[:, 1] / knowing.sum(axis=1)
    return MaceResult(posterior, competence, iteration, converged)


def _expect(ratings: ItemRatings, knowing: FloatArray, habit: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Probability of each item's levels, and of each judgment being made knowingly rather than by habit."""
    by_habit = knowing[ratings.rater, 0] * habit[ratings.rater, ratings.level]
    if_true = by_habit + knowing[ratings.rater, 1]
    n_levels = len(ratings.levels)
    joint = np.bincount(ratings.item, weights=np.log(by_habit), minlength=ratings.n_items)[:, None]
    gains = np.bincount(
        ratings.item * n_levels + ratings.level,
        weights=np.log(if_true) - np.log(by_habit),
        minlength=ratings.n_items * n_levels,
    )
    joint = joint + gains.reshape(ratings.n_items, n_levels)
    scaled = np.exp(joint - joint.max(axis=1, keepdims=True))
    posterior = scaled / scaled.sum(axis=1, keepdims=True)
    knows = posterior[ratings.item, ratings.level] * knowing[ratings.rater, 1] / if_true
    return posterior, knows


def _maximise(ratings: ItemRatings, knows: FloatArray) -> tuple[FloatArray, FloatArray]:
    from scipy.special import digamma

    n_levels = len(ratings.levels)
    known = np.bincount(ratings.rater, weights=knows, minlength=ratings.n_raters)
    by_habit = np.bincount(
        ratings.rater * n_levels + ratings.level, weights=1 - knows, minlength=ratings.n_raters * n_levels
    ).reshape(ratings.n_raters, n_levels)
    spent = np.stack([by_habit.sum(axis=1), known], axis=1) + COMPETENCE_PRIOR
    habits = by_habit + HABIT_PRIOR
    # [1] Eq. 4: exp(E[log p]) of the posterior replaces the point estimate.
    knowing, habit = (
        np.exp(digamma(counts) - digamma(counts.sum(axis=1, keepdims=True))) for counts in (spent, habits)
    )
    return knowing, habit
