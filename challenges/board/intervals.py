"""Intervals of the scores of a board, and clusters of entries that do not differ significantly, both over images.

All entries are computed on the same resampled images, so that luck with images is shared.

References
----------
.. [1] P. Koehn (2004). Statistical Significance Tests for Machine Translation Evaluation. EMNLP.
.. [2] S. Riezler, J. T. Maxwell (2005). On Some Pitfalls in Automatic Evaluation and Significance Testing for MT. ACL
   Workshop on Evaluation Measures.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final

import numpy as np

from challenges.board.image_statistics import Values
from correlation.comparison.multiple import adjust_p_values, find_rank_clusters
from correlation.comparison.permutation import PermutationPlan, count_extremes
from correlation.resampling.counts import BootstrapPlan
from correlation.resampling.intervals import IntervalRequest, bound_resamples

Reduce = Callable[[Values], Values]

N_RESAMPLES: Final = 1000
ALPHA: Final = 0.05
CONFIDENCE: Final = 0.95
CORRECTION: Final = "bh"
"""Over all pairs of entries: with hundreds of entries, Holm would need millions of permutations."""
ROUNDED_ENDS_PER_SCORE: Final = 2
"""How many rounded numbers an interval shows of each score of each entry, besides the score."""

_NUMBERS_AT_ONCE: Final = 2**24
_RESAMPLES_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True)
class Precision:
    """The 95 % interval of an entry's score, not rounded, and its cluster, 1 = best."""

    low: float
    high: float
    cluster: int


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """The sums of statistics over images.

    Attributes:
        whole: Over all images, shape (n_entries, n_statistics).
        resampled: Over each resample, shape (n_entries, n_resamples, n_statistics).
        swapped: Over the images that each permutation swaps, shape (n_entries, n_resamples, n_statistics).
    """

    whole: Values
    resampled: Values
    swapped: Values


def compare_entries(
    by_image: Mapping[int, Values],
    *,
    higher_is_better: bool,
    entropy: int,
    reduce: Reduce | None = None,
    n_resamples: int = N_RESAMPLES,
) -> dict[int, Precision]:
    """Return the precision of entries whose score is computed from sums over images.

    The interval is the percentile bootstrap over images [1]_. Pairs of entries are compared by a permutation test,
    which swaps the two on a random half of the images [2]_, and are corrected by Benjamini and Hochberg over all pairs.
    An entry whose score is undefined has no precision.

    Args:
        by_image: The statistics of the same images in the same order for each entry, shape (n_images,) or
            (n_images, n_statistics), without NaN. They are read one group of entries after the other.
        higher_is_better: Whether a higher score is better.
        entropy: Determines the resamples. Use the same one again: new resamples would tell more of the scores.
        reduce: Returns the scores (...) for sums of statistics (..., n_statistics); by default the mean over images.
        n_resamples: The number of resamples and of permutations, at least 1.

    Raises:
        ValueError: The entries have no images, different numbers of them, or undefined statistics.
    """
    if not by_image:
        return {}
    n_images, _ = _check_shape(by_image)
    if reduce is None:
        reduce = partial(_average, n_images=n_images)
    sums = _sum_all(by_image, entropy=entropy, n_resamples=n_resamples)
    request = IntervalRequest("percentile", ("images",), n_resamples, CONFIDENCE)
    intervals = [bound_resamples(reduce(each), request) for each in sums.resampled]
    scores = reduce(sums.whole)
    kept = [number for number, each in enumerate(intervals) if not np.isnan([scores[number], each.low]).any()]
    p_values = _test_pairs(sums, kept, reduce=reduce)
    ranked: Sequence[float] = (scores if higher_is_better else -scores)[kept].tolist()
    clusters = find_rank_clusters(ranked, p_values, alpha=ALPHA) if kept else []
    keys = list(by_image)
    return {
        keys[number]: Precision(intervals[number].low, intervals[number].high, cluster)
        for number, cluster in zip(kept, clusters, strict=True)
    }


def _average(totals: Values, *, n_images: int) -> Values:
    means: Values = totals[..., 0] / n_images
    return means


def _check_shape(by_image: Mapping[int, Values]) -> tuple[int, int]:
    """Return the numbers of images and of statistics of all entries."""
    shapes = set()
    for each in by_image.values():
        if not each.size or np.isnan(each).any():
            raise ValueError("every image must have a score, and there must be one")
        shapes.add(_as_table(each).shape)
    if len(shapes) > 1:
        raise ValueError("all entries must have scores of the same images")
    ((n_images, n_statistics),) = shapes
    return n_images, n_statistics


def _as_table(statistics: Values) -> Values:
    return statistics.reshape(len(statistics), -1)


def _sum_all(by_image: Mapping[int, Values], *, entropy: int, n_resamples: int) -> _Sums:
    n_images, n_statistics = _check_shape(by_image)
    size = max(1, _NUMBERS_AT_ONCE // (n_images * n_statistics))
    bootstrap, permutations = BootstrapPlan(("images",), n_resamples, entropy), PermutationPlan(n_resamples, entropy)
    parts = []
    entries = list(by_image)
    for first in range(0, len(entries), size):
        keys = entries[first : first + size]
        table = np.concatenate([_as_table(by_image[key]) for key in keys], axis=1)
        resampled, swapped = [], []
        for start in range(0, n_resamples, _RESAMPLES_AT_ONCE):
            stop = min(start + _RESAMPLES_AT_ONCE, n_resamples)
            resampled.append(bootstrap.draw_counts("images", n_images, start=start, stop=stop) @ table)
            swapped.append(permutations.draw_swaps(n_images, start=start, stop=stop).astype(np.float64) @ table)
        shape = (n_resamples, len(keys), n_statistics)
        parts.append(
            _Sums(
                table.sum(axis=0).reshape(shape[1:]),
                np.concatenate(resampled).reshape(shape).swapaxes(0, 1),
                np.concatenate(swapped).reshape(shape).swapaxes(0, 1),
            )
        )
    return _Sums(*(np.concatenate([getattr(part, name) for part in parts]) for name in _Sums.__slots__))


def _test_pairs(sums: _Sums, numbers: Sequence[int], *, reduce: Reduce) -> Values:
    """Return the corrected p-values of all pairs of these entries, shape (n, n); NaN on the diagonal."""
    whole, swapped = sums.whole[numbers][:, None], sums.swapped[numbers]
    scores = reduce(whole)[:, 0]
    # With the images of a permutation exchanged, an entry has its sum without those images and the other's of them.
    rest = whole - swapped
    found = [
        count_extremes(
            reduce(rest[first] + swapped[second]) - reduce(rest[second] + swapped[first]),
            float(scores[first] - scores[second]),
        )
        for first, second in combinations(range(len(numbers)), 2)
    ]
    p_values = np.full((len(numbers), len(numbers)), np.nan)
    corrected = adjust_p_values(found, correction=CORRECTION)
    for (first, second), p_value in zip(combinations(range(len(numbers)), 2), corrected, strict=True):
        p_values[first, second] = p_values[second, first] = p_value
    return p_values
