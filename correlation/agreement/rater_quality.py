"""Quality indicators of single raters: speed, repetition, agreement with others, and attention."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from correlation.coefficients.bivariate import spearman
from correlation.errors import CorrelationInputError
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray, as_floats, check_length


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """Quality indicators of one rater; each is NaN if there are no data to compute it from.

    Attributes
    ----------
    rater
        The rater's key.
    n
        Number of judgments.
    median_seconds
        Median time on an item.
    pace
        `median_seconds` divided by the median of all raters' medians: 0.5 is twice as fast as usual.
    same_share
        The largest share of judgments with the same value, in [0, 1].
    longest_run
        The longest run of judgments with the same value, in the order given.
    agreement
        Agreement with the other raters of the same items. Ratings: Spearman's rho between the rater's values and the
        mean of the others, in [-1, 1]. Choices: the share of the rater's choices that match the majority of the
        others, in [0, 1]; an even vote counts half. Items without a preference of the rater or of any other rater are
        left out.
    n_compared
        Number of items on which `agreement` is based.
    """

    rater: str
    n: int
    median_seconds: float
    pace: float
    same_share: float
    longest_run: int
    agreement: float
    n_compared: int


def measure_raters(table: JudgmentTable, *, seconds: ArrayLike, are_choices: bool) -> tuple[RaterQuality, ...]:
    """Compute the quality indicators of each rater, in the order of rater keys.

    Parameters
    ----------
    table
        Judgments in the order in which they were given.
    seconds
        Shape (n_judgments,): time spent on each item, NaN where not measured.
    are_choices
        Whether the values are choices (+1, -1, 0 for no preference) rather than ratings.

    Raises
    ------
    CorrelationInputError
        `seconds` has a different length, or a time is negative.
    """
    times = as_floats("seconds", seconds)
    check_length("seconds", len(times), len(table.value), "judgment")
    if (times < 0).any():
        raise CorrelationInputError(f"`seconds` must be 0 or more, got {float(np.nanmin(times)):g}")
    raters, codes = np.unique(table.rater, return_inverse=True)
    # Judgments without a preference cannot match a choice, so they do not count.
    n_others, mean_of_others = _average_others(table, counted=table.value != 0 if are_choices else None)
    medians = [_take_median(times[codes == rater]) for rater in range(len(raters))]
    usual = _take_median(np.asarray(medians, dtype=np.float64))
    found = []
    for rater, name in enumerate(raters.tolist()):
        own = codes == rater
        compared = own & (n_others > 0)
        agree = _agree_on_choices if are_choices else _agree_on_ratings
        agreement, n_compared = agree(table.value[compared], mean_of_others[compared])
        found.append(
            RaterQuality(
                rater=str(name),
                n=int(own.sum()),
                median_seconds=medians[rater],
                pace=medians[rater] / usual if usual > 0 else float("nan"),
                same_share=_share_of_commonest(table.value[own]),
                longest_run=_find_longest_run(table.value[own]),
                agreement=agreement,
                n_compared=n_compared,
            )
        )
    return tuple(found)


def compare_with_perturbed(
    intact: ArrayLike, perturbed: ArrayLike, *, rng: np.random.Generator, permutations: int = 9999
) -> float:
    """Return the one-sided p-value of the hypothesis that the rater rates intact captions no higher than perturbed.

    Wilcoxon's rank-sum test with its permutation distribution: all permutations if there are at most `permutations`,
    else that many random ones with p = (c + 1) / (n + 1). Ties get their mean rank. A small p shows that the rater
    distinguishes intact from perturbed captions; a large p shows nothing. NaN if a side is empty.

    Parameters
    ----------
    intact, perturbed
        Shapes (n,) and (m,): ratings of the two kinds of caption by one rater, higher = better.

    >>> compare_with_perturbed([4, 4, 3, 4], [1, 1, 2, 1], rng=np.random.default_rng(0))
    0.014285714285714285
    """
    from scipy.stats import PermutationMethod, mannwhitneyu  # slow to import, and used only here

    first, second = as_floats("intact", intact), as_floats("perturbed", perturbed)
    if not len(first) or not len(second):
        return float("nan")
    drawn = PermutationMethod(n_resamples=permutations, rng=rng)
    return float(mannwhitneyu(first, second, alternative="greater", method=drawn).pvalue)


def _average_others(table: JudgmentTable, *, counted: BoolArray | None) -> tuple[FloatArray, FloatArray]:
    """For each judgment, the number of other judgments of its item and their mean (for choices, its sign is the
    majority).

    `counted` says which judgments count, None for all; the others must be 0.
    """
    asked = table.item
    if table.criterion is not None:
        names, criterion = np.unique(table.criterion, return_inverse=True)
        asked = asked * len(names) + criterion
    own = np.ones(len(asked)) if counted is None else counted.astype(np.float64)
    counts = np.asarray(np.bincount(asked, weights=own)[asked] - own, dtype=np.float64)
    sums = np.bincount(asked, weights=table.value)[asked] - table.value
    means = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
    return counts, np.asarray(means, dtype=np.float64)


def _agree_on_ratings(own: FloatArray, others: FloatArray) -> tuple[float, int]:
    return (spearman(own, others), len(own)) if len(own) > 1 else (float("nan"), len(own))


def _agree_on_choices(own: FloatArray, others: FloatArray) -> tuple[float, int]:
    chosen = own != 0
    if not chosen.any():
        return float("nan"), 0
    agreed = 0.5 * (1 + np.sign(own[chosen]) * np.sign(others[chosen]))
    return float(agreed.mean()), int(chosen.sum())


def _take_median(values: FloatArray) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else float("nan")


def _share_of_commonest(values: FloatArray) -> float:
    return float(np.unique(values, return_counts=True)[1].max() / len(values))


def _find_longest_run(values: FloatArray) -> int:
    ends = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    return int(np.diff(ends, prepend=-1).max())
