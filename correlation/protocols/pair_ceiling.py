"""The human ceiling of accuracy on pairs: how often one vote is on the side of the other votes on its pair.

Only the votes of one pair are compared with each other, so it need not be known who gave which vote on other pairs; a
pair's votes must be of different people.
"""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class PairCeiling:
    """A share in [0, 1] with its bounds (None where none were asked for); NaN where undefined, then `reason` says why.

    `n` pairs have votes that could be compared, `n_votes` were compared.
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
    """Measure how often a vote agrees with the majority of the others on its pair; comparisons count alike.

    That is the accuracy that a person has in a metric's place, whose target is the majority of everybody else. Votes
    for neither caption, and votes whose others are evenly split, are left out, as pairs without a majority are left
    out of a metric's accuracy. Were pairs to count alike instead, a pair of two against one, of which only the one can
    be compared, would weigh as much as a pair of three who agree, and the ceiling would be too low.

    Parameters
    ----------
    protocol
        Its categories are the parts of a mean.
    votes
        Items are pairs; +1 for the first caption, -1 for the second, 0 for neither.
    category
        A category of the protocol, `mean` over all of them, or None where it has none.
    interval, rng
        Resamples images or rows (pairs), never the raters: the comparison is theirs.

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
        reason="no pair has several votes to compare with each other" if isnan(value) else None,
    )


def _compare_votes(votes: JudgmentTable) -> tuple[FloatArray, FloatArray]:
    """For each pair how many of its votes agree with the others, of how many that could be compared."""
    n_pairs = len(votes.items)
    sums = np.bincount(votes.item, weights=votes.value, minlength=n_pairs)
    others = sums[votes.item] - votes.value
    is_compared = (votes.value != 0) & (others != 0)
    agrees = is_compared & (votes.value * others > 0)
    n_compared: FloatArray = np.bincount(votes.item, weights=is_compared, minlength=n_pairs).astype(np.float64)
    n_agreeing: FloatArray = np.bincount(votes.item, weights=agrees, minlength=n_pairs).astype(np.float64)
    return n_agreeing, n_compared


def _average(n_agreeing: FloatArray, n_compared: FloatArray, masks: list[BoolArray], weights: FloatArray) -> FloatArray:
    """Mean over `masks` of the share of agreeing votes among those compared, shape (n_resamples,); NaN without any."""
    with np.errstate(invalid="ignore"):
        parts = [(weights[:, mask] @ n_agreeing[mask]) / (weights[:, mask] @ n_compared[mask]) for mask in masks]
    means: FloatArray = np.mean(parts, axis=0)
    return means
