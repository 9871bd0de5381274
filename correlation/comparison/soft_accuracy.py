"""Soft pairwise accuracy: whether a metric separates systems with the same confidence as people.

References
----------
.. [1] B. Thompson, N. Mathur, D. Deutsch, H. Khayrallah (2024). Improving Statistical Significance in Human Evaluation
   of Automatic Metrics via Soft Pairwise Accuracy. WMT. arXiv 2409.09598
"""

from dataclasses import dataclass
from itertools import combinations
from math import nan

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.resampling.counts import choose_chunk
from correlation.tables import ScoreTable
from correlation.validation import FloatArray


@dataclass(frozen=True, slots=True)
class SoftAccuracy:
    """`value` in [0, 1], 1 if metric and people are equally confident about every pair of systems; NaN if undefined,
    and `reason` then says why. `n_pairs` of systems, `n_items` common to all systems, `n_missing` items left out."""

    value: float
    n_pairs: int
    n_items: int
    n_missing: int
    reason: str | None = None


def soft_pairwise_accuracy(
    scores: ScoreTable, judgments: ScoreTable, *, n_resamples: int = 1000, rng: np.random.Generator
) -> SoftAccuracy:
    """Mean over pairs of systems of 1 - |p of the metric - p of people| [1]_.

    p is the one-sided p-value of the paired permutation test that the first system is better: (c + 1) / (n + 1), with
    c permutations in which its lead is at least as large as observed. Metric and people use the same permutations.
    Items that lack a score or a judgment of any system are left out and counted.

    >>> people = ScoreTable.build([[3, 4, 5, 4], [1, 2, 2, 1]], systems=["s", "t"], items=list("abcd"))
    >>> soft_pairwise_accuracy(people, people, rng=np.random.default_rng(0)).value
    1.0
    """
    if n_resamples < 1:
        raise CorrelationInputError(f"`n_resamples` must be at least 1, got {n_resamples}")
    aligned = judgments.align(systems=scores.systems, items=scores.items)
    complete = ~(np.isnan(scores.values) | np.isnan(aligned.values)).any(axis=0)
    n_items, n_missing = int(complete.sum()), int((~complete).sum())
    pairs = list(combinations(range(len(scores.systems)), 2))
    if not pairs or n_items == 0:
        reason = f"{len(scores.systems)} system(s) with {n_items} complete item(s)"
        return SoftAccuracy(nan, len(pairs), n_items, n_missing, reason)
    first, second = np.array(pairs).T
    leads = [table[first] - table[second] for table in (scores.values[:, complete], aligned.values[:, complete])]
    of_metric, of_people = _permute_leads(leads, n_resamples, rng)
    return SoftAccuracy(float(1 - np.abs(of_metric - of_people).mean()), len(pairs), n_items, n_missing)


def _permute_leads(leads: list[FloatArray], n_resamples: int, rng: np.random.Generator) -> list[FloatArray]:
    """One-sided p-value of each pair, shape (n_pairs,), for each table of leads (n_pairs, n_items)."""
    n_items = leads[0].shape[1]
    observed = [lead.sum(axis=1) for lead in leads]
    # The order of summation differs, so sums that are equal up to rounding count as equal.
    slack = [1e-12 * np.abs(lead).sum(axis=1) for lead in leads]
    extreme = [np.zeros(len(lead)) for lead in leads]
    step = choose_chunk(n_items)
    for start in range(0, n_resamples, step):
        signs = rng.choice([-1.0, 1.0], size=(min(step, n_resamples - start), n_items))
        for count, lead, seen, near in zip(extreme, leads, observed, slack, strict=True):
            count += (signs @ lead.T >= seen - near).sum(axis=0)
    return [(count + 1) / (n_resamples + 1) for count in extreme]
