"""Pairwise accuracy with ties (acc-eq), with the metric's tie threshold chosen on held-out images.

References
----------
.. [1] D. Deutsch, G. Foster, M. Freitag (2023). Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and
   Tie Calibration. EMNLP. doi:10.18653/v1/2023.emnlp-main.798
"""

from dataclasses import dataclass
from math import nan

import numpy as np
from numpy.typing import ArrayLike

from correlation.errors import CorrelationInputError
from correlation.observations import prepare_observations
from correlation.validation import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class TieAccuracy:
    """Pairwise accuracy with ties, in [0, 1]; NaN if undefined, and `reason` then says why.

    Attributes
    ----------
    value
        Cross-fitted accuracy: each image is evaluated with the threshold that is best on the other folds.
    thresholds
        The threshold of each fold, in units of the scores.
    in_sample_value, in_sample_threshold
        Accuracy with the threshold chosen on the evaluated images, which is biased upwards.
    uncalibrated_value
        Accuracy if only equal scores are ties.
    n_groups, n_pairs, n_missing
        Number of images with at least one pair, of pairs, and of rows without score or judgment.
    """

    value: float
    thresholds: tuple[float, ...]
    in_sample_value: float
    in_sample_threshold: float
    uncalibrated_value: float
    n_groups: int
    n_pairs: int
    n_missing: int
    reason: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """All pairs of rows within groups: distance of the scores, credit if the metric ties the pair (1 if people tie it)
    and otherwise (1 if the order is right), group, and weight (groups are weighted equally)."""

    distance: FloatArray
    if_tied: FloatArray
    if_ordered: FloatArray
    group: IntArray
    weight: FloatArray


def calibrate_ties(
    x: ArrayLike, y: ArrayLike, *, groups: ArrayLike, n_folds: int = 5, rng: np.random.Generator
) -> TieAccuracy:
    """Accuracy over pairs of rows within groups, averaged over groups: acc-eq with tie calibration [1]_.

    A pair is correct if people and the metric order it in the same way or both tie it. The metric ties a pair if the
    scores differ by no more than a threshold.

    Parameters
    ----------
    x, y
        Shape (n,): scores and judgments; NaN = missing.
    groups
        Shape (n,): keys of the images; only captions of the same image are compared.
    n_folds
        Number of folds into which `rng` divides the groups.

    Examples
    --------
    >>> result = calibrate_ties(
    ...     [0.1, 0.11, 0.9] * 4, [1, 1, 2] * 4, groups=[1] * 3 + [2] * 3 + [3] * 3 + [4] * 3, n_folds=2,
    ...     rng=np.random.default_rng(0),
    ... )
    >>> round(result.value, 4), round(result.uncalibrated_value, 4)
    (1.0, 0.6667)
    """
    if n_folds < 2:
        raise CorrelationInputError(f"`n_folds` must be at least 2, got {n_folds}")
    rows, complete = prepare_observations(x, y, level="group", groups=groups, systems=None)
    pairs = _pair_rows(rows.x, rows.y, rows.group)
    n_missing = int(len(complete) - complete.sum())
    present = np.unique(pairs.group)
    if len(present) < n_folds:
        reason = f"{len(present)} group(s) have a pair, {n_folds} folds need as many"
        return TieAccuracy(nan, (), nan, nan, nan, len(present), len(pairs.distance), n_missing, reason)
    fold_of_group = np.zeros(int(present.max()) + 1, dtype=np.int64)
    fold_of_group[present] = rng.permutation(len(present)) % n_folds
    fold = fold_of_group[pairs.group]
    thresholds, earned = [], 0.0
    for number in range(n_folds):
        held_out = fold == number
        threshold = _choose_threshold(pairs, ~held_out)
        thresholds.append(threshold)
        earned += _earn(pairs, held_out, threshold)
    everything = np.ones(len(fold), dtype=np.bool_)
    best = _choose_threshold(pairs, everything)
    total = float(pairs.weight.sum())
    return TieAccuracy(
        value=earned / total,
        thresholds=tuple(thresholds),
        in_sample_value=_earn(pairs, everything, best) / total,
        in_sample_threshold=best,
        uncalibrated_value=_earn(pairs, everything, 0.0) / total,
        n_groups=len(present),
        n_pairs=len(pairs.distance),
        n_missing=n_missing,
    )


def _pair_rows(x: FloatArray, y: FloatArray, group: IntArray) -> _Pairs:
    order = np.argsort(group, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(group))[:-1]) if len(order) else []
    halves = [np.stack([m[k] for k in np.triu_indices(len(m), 1)]) for m in members]
    first, second = np.concatenate(halves, axis=1) if halves else np.empty((2, 0), dtype=np.int64)
    step_x, step_y = x[first] - x[second], y[first] - y[second]
    of_group = group[first]
    sizes = np.bincount(of_group, minlength=1)
    return _Pairs(
        distance=np.abs(step_x),
        if_tied=(step_y == 0).astype(np.float64),
        if_ordered=((np.sign(step_x) == np.sign(step_y)) & (step_y != 0)).astype(np.float64),
        group=of_group,
        weight=1 / sizes[of_group],
    )


def _choose_threshold(pairs: _Pairs, used: BoolArray) -> float:
    """The smallest of the thresholds with the highest accuracy, among 0 and all distances."""
    order = np.argsort(pairs.distance[used], kind="stable")
    distance, weight = pairs.distance[used][order], pairs.weight[used][order]
    gain = np.cumsum(weight * (pairs.if_tied[used][order] - pairs.if_ordered[used][order]))
    # A threshold ties all pairs up to its distance, so only the last of each run of equal distances is a candidate.
    last = np.append(distance[1:] != distance[:-1], True)
    candidates, gains = distance[last], gain[last]
    if len(candidates) == 0 or candidates[0] > 0:
        candidates, gains = np.insert(candidates, 0, 0.0), np.insert(gains, 0, 0.0)
    return float(candidates[np.flatnonzero(gains >= gains.max() - 1e-12)[0]])


def _earn(pairs: _Pairs, used: BoolArray, threshold: float) -> float:
    worth = np.where(pairs.distance <= threshold, pairs.if_tied, pairs.if_ordered)
    return float((pairs.weight * worth)[used].sum())
