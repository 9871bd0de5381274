"""System-level scores, from the scores of each system's rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from metrics_plugins.api import DecomposableMetric, Scores
from metrics_plugins.runtime.preparing import PreparedMetric
from studies.models import Run
from studies.scoring.chunks import unpack_scores, unpack_statistics
from studies.scoring.inputs import InputRows


@dataclass(frozen=True, slots=True)
class SystemTable:
    """Systems down, metrics across.

    Attributes:
        metrics: Ids of the metrics, one a column.
        rows: The name of each system and its score by each metric; NaN where undefined.
    """

    metrics: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...]


def tabulate_systems(rows: InputRows, runs: Mapping[str, Run], metrics: Mapping[str, PreparedMetric]) -> SystemTable:
    """Return the table of the finished runs of one input, by metric id.

    A metric that decomposes is computed from the summed statistics of a system's rows; any other is the mean of its
    defined scores, or what the metric itself makes of them.
    """
    names = dict(rows.dataset.systems.values_list("pk", "name"))
    present = [system for system in names if system in set(rows.systems.tolist())]
    rows_of = {system: np.flatnonzero(rows.systems == system) for system in present}
    columns = {name: _score_systems(rows, run, metrics[name], rows_of) for name, run in runs.items()}
    return SystemTable(
        metrics=tuple(columns),
        rows=tuple((names[system], tuple(column[system] for column in columns.values())) for system in present),
    )


def _score_systems(
    rows: InputRows, run: Run, prepared: PreparedMetric, rows_of: Mapping[int, np.ndarray]
) -> dict[int, float]:
    statistics = unpack_statistics(run)
    if statistics is not None:
        # Only such a metric is fitted again; the system score of any other needs no corpus statistics.
        metric = prepared.ready
        if isinstance(metric, DecomposableMetric):
            return {system: _settle(metric.reduce_corpus(statistics[chosen])) for system, chosen in rows_of.items()}
    values = unpack_scores(run)
    summarize = getattr(prepared.built, "summarize", lambda scores: scores.mean)
    return {
        system: _settle(summarize(Scores(keys=tuple(rows.keys[row] for row in chosen), values=values[chosen])))
        for system, chosen in rows_of.items()
    }


def _settle(score: float) -> float:
    """Replace an infinite score by NaN, as for a row."""
    return float(score) if isfinite(score) else float("nan")
