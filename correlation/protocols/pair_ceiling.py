"""The human ceiling of pairwise accuracy: how often a vote agrees with the other votes on its pair.

Votes are compared only within pairs, so raters need not be identified across pairs; the votes on a pair must be from
different people.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np

from correlation.protocols.judged_pairs import find_members
from correlation.protocols.recipe import Protocol
from correlation.protocols.row import MEAN
from correlation.resampling.counts import Units
from correlation.resampling.intervals import Estimated, IntervalRequest, compute_interval
from correlation.tables import JudgmentTable
from correlation.validation import BoolArray, FloatArray

METHOD = "leave-one-vote-out"
_NO_VOTES = "no pair has several votes to compare; plan at least three raters per pair to obtain one"


@dataclass(frozen=True, slots=True)
class PairCeiling:
    """The ceiling in [0, 1] with its bounds (None if not requested); NaN if undefined, and `reason` then says why.

    `n` is the number of pairs with votes that could be compared, `n_votes` the number of votes compared.
    """

    category: str | None
    value: float
    low: float | None
    high: float | None
    n: int
    n_votes: int
    reason: str | None = None


def measure_pair_ceiling(
    protocol: Protocol,
    votes: JudgmentTable,
    *,
    category: str | None = None,
    interval: IntervalRequest | None = None,
    rng: np.random.Generator | None = None,
) -> PairCeiling:
    """Measure how often a vote agrees with the majority of the other votes on its pair, over all comparisons.

    This is the accuracy of a person used as a metric, with the majority of all others as the target. Votes for neither
    caption, and votes whose others are evenly split, are left out, as pairs without a majority are left out of a
    metric's accuracy. Comparisons are weighted equally rather than pairs: otherwise a pair of two votes against one, of
    which only the one can be compared, would weigh as much as three votes that agree, and bias the ceiling downwards.

    Parameters
    ----------
    protocol
        The protocol, whose categories are averaged.
    votes
        A table whose items are pairs; +1 for the first caption, -1 for the second, 0 for neither.
    category
        A category of the protocol, `mean` over all of them, or None if it has none.
    interval, rng
        Resamples images or rows (pairs) but never raters, who are compared with each other.

    >>> from correlation.protocols.named import get_protocol
    >>> votes = JudgmentTable.build(
    ...     items=["p", "q"], image=["1", "2"], item=list("pppqqq"), rater=list("xyzxyz"), value=[1, 1, 1, 1, 1, -1],
    ... )
    >>> protocol = get_protocol(
    ...     "custom", rows="all", references="all", ratings="majority", measures="pair:accuracy", ties="half"
    ... )
    >>> ceiling = measure_pair_ceiling(protocol, votes)
    >>> ceiling.value, ceiling.n, ceiling.n_votes
    (0.75, 2, 4)
    """
    members = find_members(protocol, votes)
    masks = list(members.values()) if category == MEAN else [members[category]]
    n_agreeing, n_compared = _compare_votes(votes)
    images = np.unique(votes.image, return_inverse=True)[1].astype(np.int64)
    units = Units.build(images=images, rows=np.arange(len(images)))
    value = float(_average(n_agreeing, n_compared, masks, np.ones((1, len(n_compared))))[0])
    chosen = np.any(masks, axis=0) & (n_compared > 0)
    low = high = None
    if interval is not None:

        def estimate(counts: Mapping[str, FloatArray]) -> FloatArray:
            return _average(n_agreeing, n_compared, masks, units.weigh(counts))

        bounds = compute_interval(Estimated("accuracy", value, int(chosen.sum()), estimate, units), interval, rng=rng)
        low, high = bounds.low, bounds.high
    return PairCeiling(
        category=category,
        value=value,
        low=low,
        high=high,
        n=int(chosen.sum()),
        n_votes=int(n_compared[chosen].sum()),
        reason=_NO_VOTES if isnan(value) else None,
    )


def _compare_votes(votes: JudgmentTable) -> tuple[FloatArray, FloatArray]:
    """Number of votes of each pair that agree with the others, and number of votes that could be compared."""
    n_pairs = len(votes.items)
    sums = np.bincount(votes.item, weights=votes.value, minlength=n_pairs)
    others = sums[votes.item] - votes.value
    is_compared = (votes.value != 0) & (others != 0)
    agrees = is_compared & (votes.value * others > 0)
    n_compared: FloatArray = np.bincount(votes.item, weights=is_compared, minlength=n_pairs).astype(np.float64)
    n_agreeing: FloatArray = np.bincount(votes.item, weights=agrees, minlength=n_pairs).astype(np.float64)
    return n_agreeing, n_compared


def _average(n_agreeing: FloatArray, n_compared: FloatArray, masks: list[BoolArray], weights: FloatArray) -> FloatArray:
    """Mean over `masks` of the share of agreeing votes, shape (n_resamples,); NaN if no votes could be compared."""
    with np.errstate(invalid="ignore"):
        parts = [(weights[:, mask] @ n_agreeing[mask]) / (weights[:, mask] @ n_compared[mask]) for mask in masks]
    means: FloatArray = np.mean(parts, axis=0)
    return means
