"""Rank systems by people's judgments; `correlation.ranking.inference` says how intervals and tests are computed.

References
----------
.. [1] R. A. Bradley, M. E. Terry (1952). Rank Analysis of Incomplete Block Designs. Biometrika 39, 324-345.
.. [2] R. R. Davidson (1970). On Extending the Bradley-Terry Model to Accommodate Ties. JASA 65, 317-328.
"""

import numpy as np
from numpy.typing import ArrayLike

from correlation.agreement.preference import fit_preferences
from correlation.defaults import ALPHA, CORRECTION, RESAMPLES
from correlation.errors import CorrelationInputError
from correlation.ranking.inference import encode_systems, rank_systems, read_rows
from correlation.ranking.statistics import LogStrength, MeanValue, WinShare
from correlation.ranking.values import MEAN, STRENGTH, WINS, RankingRequest, SystemRanking
from correlation.validation import IntArray, as_floats, as_keys, check_length

DEFAULT = RankingRequest(RESAMPLES, CORRECTION, ALPHA, seed=0)


def rank_by_means(
    system: ArrayLike,
    value: ArrayLike,
    *,
    image: ArrayLike,
    rater: ArrayLike,
    knows_raters: bool = True,
    criterion: str | None = None,
    bounds: tuple[float, float] | None = None,
    request: RankingRequest = DEFAULT,
) -> SystemRanking:
    """Rank systems by the mean of all judgments of their captions.

    Parameters
    ----------
    system, image, rater
        Shape (n,): keys of each judgment's system, image and rater.
    value
        Shape (n,): the judgment, higher is better. A NaN is an error.
    knows_raters
        Whether equal keys of raters are the same person; otherwise raters are not resampled.
    criterion
        The name of the criterion that is ranked.
    bounds
        The least and the greatest possible value, which intervals do not exceed.
    request
        How intervals and tests are computed.

    Returns
    -------
    SystemRanking
        Equal values are in the order of their names.

    Raises
    ------
    CorrelationInputError
        Columns differ in length, or a value is missing.

    Examples
    --------
    >>> ranking = rank_by_means(["a", "b"] * 2, [4, 2, 3, 3], image=["1", "1", "2", "2"], rater=["x"] * 4)
    >>> [(each.system, each.value) for each in ranking.systems], ranking.cautions
    ([('a', 3.5), ('b', 2.5)], ('only 2 images, fewer than 10: differences are not tested, and intervals are narrower \
than their nominal confidence',))
    """
    names, values = as_keys("system", system), as_floats("value", value)
    check_length("value", len(values), len(names), "system")
    if np.isnan(values).any():
        raise CorrelationInputError(f"`value` is NaN at index {int(np.flatnonzero(np.isnan(values))[0])}")
    systems, code = encode_systems(names)
    rows = read_rows(systems, [code == place for place in range(len(systems))], image, rater, knows_raters)
    statistic = MeanValue(code, values, len(systems))
    return rank_systems(MEAN, statistic, rows, criterion=criterion, bounds=bounds, request=request)


def rank_by_choices(
    first: ArrayLike,
    second: ArrayLike,
    choice: ArrayLike,
    *,
    image: ArrayLike,
    rater: ArrayLike,
    knows_raters: bool = True,
    criterion: str | None = None,
    request: RankingRequest = DEFAULT,
) -> tuple[SystemRanking, SystemRanking]:
    """Rank systems by Bradley-Terry strengths [1]_ and by the shares of comparisons that they won.

    A strength takes account of which other systems a system was compared with; it is a log weight of mean 0 over
    systems, so that a difference of 1 means odds of e = 2.7 to one. Ties are Davidson's [2]_: a third answer, likelier
    the closer two systems are. In the share of wins, a tie is half a win.

    Strengths are undefined, with the `reason`, if the comparisons leave any infinite: if some systems were never, not
    even through others, compared with the rest, or never lost to it. The share of wins is defined even then.

    Parameters
    ----------
    first, second
        Shape (n,): keys of both systems, which must differ.
    choice
        Shape (n,): +1 first preferred, -1 second, 0 neither.
    image, rater, knows_raters, criterion, request
        As for `rank_by_means`.

    Raises
    ------
    CorrelationInputError
        Columns differ in length, a system is compared with itself, or a choice is another number.

    Examples
    --------
    >>> rankings = rank_by_choices(
    ...     ["a", "a", "a", "b"], ["b", "b", "b", "a"], [1, 1, -1, -1], image=[1, 2, 3, 4], rater=[1, 1, 1, 1]
    ... )
    >>> [[(each.system, round(each.value, 4)) for each in ranking.systems] for ranking in rankings]
    [[('a', 0.5493), ('b', -0.5493)], [('a', 0.75), ('b', 0.25)]]
    """
    fitted = fit_preferences(first, second, choice, side=False)
    names, others = as_keys("first", first), as_keys("second", second)
    systems, both = encode_systems(np.concatenate([names, others]))
    one, other = both[: len(names)], both[len(names) :]
    choices = as_floats("choice", choice)
    taking_part = [(one == place) | (other == place) for place in range(len(systems))]
    rows = read_rows(systems, taking_part, image, rater, knows_raters)
    strength = LogStrength(one, other, choices, len(systems))
    wins = WinShare(one, other, choices, len(systems))
    return (
        rank_systems(STRENGTH, strength, rows, criterion=criterion, bounds=None, request=request, reason=fitted.reason),
        rank_systems(WINS, wins, rows, criterion=criterion, bounds=(0.0, 1.0), request=request),
    )


def expand_best_worst(
    task: ArrayLike, rater: ArrayLike, system: ArrayLike, value: ArrayLike
) -> tuple[IntArray, IntArray]:
    """Return the comparisons that best-worst answers imply, as indices of the preferred and of the other judgment.

    The best of a task was preferred to all others of it, and all others to the worst. Nothing is known of two captions
    that are neither, so that they are no comparison, and no tie.

    Parameters
    ----------
    task, rater
        Shape (n,): the judgments of one rater on one task belong together.
    system
        Shape (n,): captions of the same system are not compared.
    value
        Shape (n,): +1 best, -1 worst, 0 neither.

    >>> preferred, other = expand_best_worst([1] * 4, ["x"] * 4, ["a", "b", "c", "d"], [0, 1, 0, -1])
    >>> list(zip(preferred.tolist(), other.tolist()))
    [(0, 3), (1, 0), (1, 2), (1, 3), (2, 3)]
    """
    tasks, raters, systems = as_keys("task", task), as_keys("rater", rater), as_keys("system", system)
    values = as_floats("value", value)
    answer: dict[tuple[str, str], list[int]] = {}
    for place, key in enumerate(zip(tasks.tolist(), raters.tolist(), strict=True)):
        answer.setdefault(key, []).append(place)
    pairs = [
        (one, other)
        for members in answer.values()
        for one in members
        for other in members
        if values[one] > values[other] and systems[one] != systems[other]
    ]
    found = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]
