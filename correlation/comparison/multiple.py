"""Multiple testing: corrected p-values and rank clusters.

References
----------
.. [1] S. Holm (1979). A simple sequentially rejective multiple test procedure. Scand. J. Statistics 6, 65-70.
.. [2] Y. Benjamini, Y. Hochberg (1995). Controlling the false discovery rate. JRSS B 57, 289-300.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError, check_name
from correlation.validation import FloatArray, as_floats


def adjust_p_values(p_values: ArrayLike, *, correction: str) -> FloatArray:
    """Correct p-values for multiple testing, so that they can be compared with alpha.

    Parameters
    ----------
    p_values
        Shape (n,), in [0, 1]; NaN (a test that could not be made) stays NaN and does not count as a test.
    correction
        `holm` controls the family-wise error rate [1]_, `bh` the false discovery rate [2]_; `none` does nothing.

    >>> adjust_p_values([0.01, 0.04, 0.03], correction="holm").tolist()
    [0.03, 0.06, 0.06]
    """
    check_name("correction", correction, CORRECTIONS)
    checked = as_floats("p_values", p_values)
    if ((checked < 0) | (checked > 1)).any():
        raise CorrelationInputError(f"`p_values` must be in [0, 1], got {checked.tolist()}")
    adjusted = checked.copy()
    made = ~np.isnan(checked)
    adjusted[made] = CORRECTIONS[correction](checked[made])
    return adjusted


def _adjust_holm(p_values: FloatArray) -> FloatArray:
    order = np.argsort(p_values, kind="stable")
    steps = p_values[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(steps))
    return adjusted


def _adjust_benjamini_hochberg(p_values: FloatArray) -> FloatArray:
    order = np.argsort(p_values, kind="stable")[::-1]
    steps = p_values[order] * len(p_values) / np.arange(len(p_values), 0, -1)
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(1, np.minimum.accumulate(steps))
    return adjusted


CORRECTIONS: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {"holm": _adjust_holm, "bh": _adjust_benjamini_hochberg, "none": lambda p_values: p_values}
)


def find_rank_clusters(values: Sequence[float], p_values: ArrayLike, *, alpha: float) -> tuple[int, ...]:
    """Cluster of each metric, 1 = best: a cluster ends where all metrics so far differ from all that follow.

    Parameters
    ----------
    values
        Shape (n_metrics,); a higher value is better, NaN ranks last.
    p_values
        Shape (n_metrics, n_metrics), symmetric, corrected; NaN means no significant difference.
    alpha
        Significance level, in (0, 1).

    >>> find_rank_clusters([0.5, 0.4, 0.1], [[1, 0.2, 0.01], [0.2, 1, 0.01], [0.01, 0.01, 1]], alpha=0.05)
    (1, 1, 2)
    """
    matrix = as_floats("p_values", p_values, ndim=2)
    if matrix.shape != (len(values), len(values)):
        raise CorrelationInputError(f"`p_values` must have shape {(len(values),) * 2}, got {matrix.shape}")
    order = np.argsort(-np.array(values, dtype=np.float64), kind="stable")
    differs = (matrix < alpha)[np.ix_(order, order)]
    clusters = np.ones(len(values), dtype=np.int64)
    for rank in range(1, len(order)):
        begins = bool(differs[:rank, rank:].all())
        clusters[order[rank]] = clusters[order[rank - 1]] + begins
    return tuple(int(cluster) for cluster in clusters)
