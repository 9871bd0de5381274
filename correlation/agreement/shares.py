"""Estimate a share of answers, with an interval that accounts for clustering by rater."""

from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval.

    Attributes
    ----------
    value, low, high
        The share and its bounds, in [0, 1]; NaN without answers.
    n, n_clusters
        Number of answers and of raters.
    design_effect
        Variance relative to that of independent answers; at least 1.
    """

    value: float
    low: float
    high: float
    n: int
    n_clusters: int
    design_effect: float


def estimate_share(value: ArrayLike, *, cluster: ArrayLike, confidence: float = 0.95) -> Share:
    """Estimate a share from answers with values from 0 to 1.

    Parameters
    ----------
    value
        `(n,)`: 1 for an answer that counts, 0 for one that does not, or a fraction.
    cluster
        `(n,)`: the rater of each answer; answers in a cluster may be correlated.
    confidence
        Confidence of the interval, in (0, 1).

    Returns
    -------
    Share
        Wilson's score interval [1]_ at the sample size divided by the design effect, which is the variance of the mean
        with clusters as units divided by that with independent answers [2]_.

    Raises
    ------
    CorrelationInputError
        The lengths differ, or a value is outside [0, 1].

    References
    ----------
    .. [1] Wilson (1927), JASA 22, 209-212.
    .. [2] Kish (1965), Survey Sampling, chapter 5.
    """
    values, clusters = np.asarray(value, dtype=np.float64), np.asarray(cluster)
    if values.shape != clusters.shape or values.ndim != 1:
        raise CorrelationInputError(
            f"`value` and `cluster` must have equal lengths, got {values.shape} and {clusters.shape}"
        )
    if not len(values):
        return Share(nan, nan, nan, 0, 0, 1.0)
    if not ((values >= 0) & (values <= 1)).all():
        raise CorrelationInputError(f"`value` must be 0 to 1, got {values.min():g} to {values.max():g}")
    n, mean = len(values), float(values.mean())
    _, index = np.unique(clusters, return_inverse=True)
    sums = np.bincount(index, weights=values - mean)
    n_clusters = len(sums)
    apart = mean * (1 - mean) / n
    together = n_clusters / max(n_clusters - 1, 1) * float((sums**2).sum()) / n**2
    effect = max(1.0, together / apart) if apart > 0 else 1.0
    low, high = _bound(mean, n / effect, NormalDist().inv_cdf((1 + confidence) / 2))
    return Share(mean, low, high, n, n_clusters, effect)


def _bound(mean: float, n: float, z: float) -> tuple[float, float]:
    centre = (mean + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(mean * (1 - mean) / n + z**2 / (4 * n**2))
    return max(0.0, centre - half), min(1.0, centre + half)
