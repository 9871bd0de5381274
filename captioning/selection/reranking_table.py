"""A table of re-ranking: the metrics of each choice of weights, with intervals of the differences from the beam."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from captioning.selection.mutual_information import ScoredCaptions, TableRow, Weights, tabulate
from captioning.selection.scoring import CandidateScores, Rows

GEOMETRIC_MEAN: Final = "geometric mean"
N_SAMPLES: Final = 1000


@dataclass(frozen=True, slots=True)
class RerankedRow:
    """One row of the table, on the scale of published tables.

    Attributes:
        name: The name of the choice of weights.
        weights: The weights.
        values: By metric, with the geometric mean last.
        intervals: By the same names, the 95 % interval of the difference from the first row; of the first row itself,
            none. NaN where a metric is undefined in a sample.
        share_changed: The share of images whose caption is not the first one of the beam.
    """

    name: str
    weights: Weights
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]
    share_changed: float


def compare_weights(
    scored: ScoredCaptions,
    scores: Sequence[CandidateScores],
    chosen: Mapping[str, Weights],
    *,
    rng: np.random.Generator,
    n_samples: int = N_SAMPLES,
) -> tuple[RerankedRow, ...]:
    """Return a row for each choice of weights, in the order given; the first one is what others are compared with.

    The intervals are percentiles of the paired bootstrap over images: each sample draws images with replacement, the
    same for all rows, and computes the metrics of systems anew.

    Args:
        scored: The captions of the test images.
        scores: Their scores under `METRICS`.
        chosen: The weights by name.
        rng: Draws the samples.
        n_samples: The number of samples.

    Raises:
        ValueError: A metric is missing, or there is no choice.
    """
    if not chosen:
        raise ValueError("a table of re-ranking needs at least one choice of weights, got none")
    picks = {name: scored.rerank(weights) for name, weights in chosen.items()}
    sampled: dict[str, list[list[float]]] = {name: [] for name in picks}
    for _ in range(n_samples):
        rows = rng.integers(len(scored.captions), size=len(scored.captions))
        drawn = [_take(each, rows) for each in scores]
        for name, columns in picks.items():
            sampled[name].append(list(_list_values(tabulate(drawn, columns[rows])).values()))
    base = next(iter(picks))
    made = []
    for name, columns in picks.items():
        values = _list_values(tabulate(scores, columns))
        intervals = {}
        if name != base and n_samples:
            differences = np.array(sampled[name]) - np.array(sampled[base])
            bounds = np.percentile(differences, [2.5, 97.5], axis=0).T
            intervals = {metric: (float(low), float(high)) for metric, (low, high) in zip(values, bounds, strict=True)}
        made.append(RerankedRow(name, chosen[name], values, intervals, float(np.mean(columns != 0))))
    return tuple(made)


def _take(scores: CandidateScores, rows: Rows) -> CandidateScores:
    statistics = None if scores.statistics is None else scores.statistics[rows]
    return replace(scores, values=scores.values[rows], statistics=statistics)


def _list_values(row: TableRow) -> dict[str, float]:
    return {**row.values, GEOMETRIC_MEAN: row.geometric_mean}
