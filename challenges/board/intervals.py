"""Intervals of the scores of a board, and clusters of entries that do not differ significantly, both over images.

All entries are computed on the same resampled images, so that luck with images is shared.

References
----------
.. [1] P. Koehn (2004). Statistical Significance Tests for Machine Translation Evaluation. EMNLP.
.. [2] S. Riezler, J. T. Maxwell (2005). On Some Pitfalls in Automatic Evaluation and Significance Testing for MT. ACL
   Workshop on Evaluation Measures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from correlation.comparison.multiple import adjust_p_values, find_rank_clusters
from correlation.comparison.permutation import PermutationPlan, count_extremes
from correlation.resampling.counts import BootstrapPlan, choose_chunk
from correlation.resampling.intervals import IntervalRequest, bound_resamples

Values = npt.NDArray[np.float64]

N_RESAMPLES: Final = 1000
ALPHA: Final = 0.05
CONFIDENCE: Final = 0.95
CORRECTION: Final = "bh"
"""Over all pairs of entries: with hundreds of entries, Holm would need millions of permutations."""
ROUNDED_ENDS_PER_SCORE: Final = 2
"""How many rounded numbers an interval shows of each score of each entry, besides the score."""


@dataclass(frozen=True, slots=True)
class Precision:
    """The 95 % interval of an entry's score, not rounded, and its cluster, 1 = best."""

    low: float
    high: float
    cluster: int


def compare_entries(
    by_image: Mapping[int, Values],
    *,
    higher_is_better: bool,
    entropy: int,
    n_resamples: int = N_RESAMPLES,
) -> dict[int, Precision]:
    """Return the precision of entries whose score is the mean of their scores of images.

    The interval is the percentile bootstrap over images [1]_. Pairs of entries are compared by a permutation test,
    which swaps the two on a random half of the images [2]_, and are corrected by Benjamini and Hochberg over all pairs.

    Args:
        by_image: The scores of the same images in the same order for each entry, shape (n_images,), without NaN.
        higher_is_better: Whether a higher score is better.
        entropy: Determines the resamples. Use the same one again: new resamples would tell more of the scores.
        n_resamples: The number of resamples and of permutations, at least 1.

    Raises:
        ValueError: The entries have no images, different numbers of them, or undefined scores.
    """
    if not by_image:
        return {}
    if len({len(each) for each in by_image.values()}) > 1:
        raise ValueError("all entries must have scores of the same images")
    scores = np.stack(list(by_image.values()))
    if not scores.size or np.isnan(scores).any():
        raise ValueError("every image must have a score, and there must be one")
    request = IntervalRequest("percentile", ("images",), n_resamples, CONFIDENCE)
    resampled = _resample_means(scores, entropy=entropy, n_resamples=n_resamples)
    intervals = [bound_resamples(column, request) for column in resampled.T]
    means = scores.mean(axis=1)
    p_values = _test_pairs(scores, means, entropy=entropy, n_resamples=n_resamples)
    ranked: Sequence[float] = (means if higher_is_better else -means).tolist()
    clusters = find_rank_clusters(ranked, p_values, alpha=ALPHA)
    return {
        key: Precision(interval.low, interval.high, cluster)
        for key, interval, cluster in zip(by_image, intervals, clusters, strict=True)
    }


def _resample_means(scores: Values, *, entropy: int, n_resamples: int) -> Values:
    """Return the mean of each entry in each resample, shape (n_resamples, n_entries)."""
    n_images = scores.shape[1]
    plan = BootstrapPlan(("images",), n_resamples, entropy)
    parts = [
        plan.draw_counts("images", n_images, start=start, stop=stop) @ scores.T / n_images
        for start, stop in _cut(n_resamples, n_images)
    ]
    return np.concatenate(parts)


def _test_pairs(scores: Values, means: Values, *, entropy: int, n_resamples: int) -> Values:
    """Return the corrected p-values of all pairs, shape (n_entries, n_entries); NaN on the diagonal."""
    n_images = scores.shape[1]
    plan = PermutationPlan(n_resamples, entropy)
    # A pair differs in a permutation by the sum of its differences, with the sign changed on swapped images: by the
    # difference of the two sums.
    sums = np.concatenate(
        [
            (1.0 - 2.0 * plan.draw_swaps(n_images, start=start, stop=stop)) @ scores.T / n_images
            for start, stop in _cut(n_resamples, n_images)
        ]
    ).T.copy()
    pairs = list(combinations(range(len(scores)), 2))
    found = [count_extremes(sums[first] - sums[second], float(means[first] - means[second])) for first, second in pairs]
    p_values = np.full((len(scores), len(scores)), np.nan)
    for (first, second), p_value in zip(pairs, adjust_p_values(found, correction=CORRECTION), strict=True):
        p_values[first, second] = p_values[second, first] = p_value
    return p_values


def _cut(n_resamples: int, n_images: int) -> Iterator[tuple[int, int]]:
    step = choose_chunk(n_images)
    return ((start, min(start + step, n_resamples)) for start in range(0, n_resamples, step))
