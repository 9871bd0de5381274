"""Pairwise accuracy: how often the caption with the higher score is the one that people chose."""

from collections.abc import Mapping
from math import nan
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError, check_name
from correlation.validation import FloatArray, as_floats, check_length

# Credit of a pair with equal scores if people chose the first caption, and if they chose the second.
TIE_CREDITS: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "wrong": (0.0, 0.0),
        "half": (0.5, 0.5),
        "right": (1.0, 1.0),
        "first": (1.0, 0.0),
    }
)


def credit_pairs(score_first: ArrayLike, score_second: ArrayLike, choice: ArrayLike, *, ties: str) -> FloatArray:
    """Credit of each pair in [0, 1]: 1 if the higher score is on the chosen side, 0 if not.

    Parameters
    ----------
    score_first, score_second
        Shape (n_pairs,): the scores of the first and the second caption; NaN = missing.
    choice
        Shape (n_pairs,): above 0 if people chose the first caption, below 0 if they chose the second; 0 or NaN if they
        chose neither.
    ties
        Credit of equal scores: `wrong` 0, `half` 0.5, `right` 1, `first`: as if the metric chose the first caption.

    Returns
    -------
    Shape (n_pairs,); NaN if a score is missing or people chose neither.

    >>> credit_pairs([2, 1, 1], [1, 1, 1], [1, 1, -1], ties="first").tolist()
    [1.0, 1.0, 0.0]
    """
    check_name("tie rule", ties, TIE_CREDITS)
    first, second = as_floats("score_first", score_first), as_floats("score_second", score_second)
    chosen = as_floats("choice", choice)
    check_length("score_second", len(second), len(first), "score_first")
    check_length("choice", len(chosen), len(first), "score_first")
    if_first, if_second = TIE_CREDITS[ties]
    credit = np.where((first > second) == (chosen > 0), 1.0, 0.0)
    credit = np.where(first == second, np.where(chosen > 0, if_first, if_second), credit)
    missing = np.isnan(first) | np.isnan(second) | np.isnan(chosen) | (chosen == 0)
    return np.where(missing, np.nan, credit)


def pairwise_accuracy(score_first: ArrayLike, score_second: ArrayLike, choice: ArrayLike, *, ties: str) -> float:
    """Mean credit of the pairs, in [0, 1]; NaN without pairs. Parameters as in `credit_pairs`.

    Missing scores and undecided choices are errors: count and remove such pairs first.

    >>> pairwise_accuracy([2, 1, 1], [1, 1, 1], [1, 1, -1], ties="half")
    0.6666666666666666
    """
    credit = credit_pairs(score_first, score_second, choice, ties=ties)
    if np.isnan(credit).any():
        row = int(np.flatnonzero(np.isnan(credit))[0])
        raise CorrelationInputError(f"pair {row} has a missing score or no choice: count and remove such pairs first")
    return float(credit.mean()) if len(credit) else nan
