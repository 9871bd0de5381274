"""Correlate columns of a data frame with judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from accordance.columns import JudgedColumns
from accordance.showing import Figure, format_html
from correlation.correlate import CorrelationResult
from correlation.correlate_metrics import correlate_metrics
from correlation.resampling.intervals import IntervalRequest

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = ("metric", "value", "low", "high", "n", "n_missing")


@dataclass(frozen=True, slots=True, eq=False)
class Correlations:
    """The agreement of several metrics with the same judgments.

    Attributes:
        judgment: The column of judgments.
        results: A `CorrelationResult` for each metric, in the order given.
        points: For each metric, the judgments and scores of its complete rows.
    """

    judgment: str
    results: Mapping[str, CorrelationResult]
    points: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]]

    def __getitem__(self, metric: str) -> CorrelationResult:
        return self.results[metric]

    @property
    def signature(self) -> str:
        """What determines the numbers: level, coefficient and interval."""
        first = next(iter(self.results.values()))
        parts = [f"level:{first.level}", f"coefficient:{first.coefficient}"]
        return "|".join([*parts, *([first.interval.request.signature] if first.interval else [])])

    def to_frame(self) -> "pd.DataFrame":
        """Return a row for each metric, with None where no interval was requested."""
        import pandas as pd

        rows = [(name, *(getattr(each, field) for field in _COLUMNS[1:])) for name, each in self.results.items()]
        return pd.DataFrame(rows, columns=list(_COLUMNS))

    def plot(self, metric: str | None = None) -> Figure:
        """Return the forest plot of all metrics with their intervals, or the scatter plot of one metric.

        Raises:
            KeyError: The metric was not correlated.
            CorrelationInputError: The agreement of every metric is undefined.
        """
        from correlation.figures import NamedInterval, draw_intervals, draw_scatter

        if metric is not None:
            judgments, scores = self.points[metric]
            return Figure(draw_scatter(judgments, scores, judgment_title=self.judgment, score_title=metric))
        found = self.results.items()
        rows = [NamedInterval(name, each.value, each.low, each.high) for name, each in found]
        first = next(iter(self.results.values()))
        request = first.interval.request if first.interval else None
        over = f" over {' x '.join(request.resampled)}" if request and request.resampled else ""
        note = f"Bars: {100 * request.confidence:g} % {request.method} intervals{over}." if request else ""
        axis = f"{first.coefficient}, level {first.level}"
        return Figure(draw_intervals(rows, title=f"Agreement with {self.judgment}", axis=axis, note=note))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}: {each.value:.4f}" for name, each in self.results.items())
        return f"Correlations({self.signature}; {values})"

    def _repr_html_(self) -> str:
        rows = [(name, *(getattr(each, field) for field in _COLUMNS[1:])) for name, each in self.results.items()]
        return format_html(_COLUMNS, rows, caption=f"Agreement with {self.judgment}", signature=self.signature)


def correlate(
    frame: "pd.DataFrame",
    *,
    metrics: Sequence[str],
    judgment: str,
    coefficient: str = "kendall-b",
    level: str = "item",
    image: str | None = None,
    system: str | None = None,
    rater: str | None = None,
    interval: IntervalRequest | str | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Correlations:
    """Correlate columns of scores with a column of judgments.

    Args:
        frame: One row per judgment or per judged caption.
        metrics: The columns of scores; a row without a score (NaN) is left out for its metric and counted.
        judgment: The column of judgments.
        coefficient: A coefficient of docs/statistics.md, such as `kendall-b`, `kendall-c` or `pearson`.
        level: `item`, `group` (mean over images), `system` or `global`.
        image: The column of image keys, for levels and intervals that need it.
        system: The column of system names, likewise.
        rater: The column of rater keys, likewise.
        interval: `"images"`, `"raters"` or `"images,raters"`: a percentile bootstrap over these; or an
            `IntervalRequest` for any other interval.
        n_resamples: The number of bootstrap resamples; not used with an `IntervalRequest`.
        seed: The seed of the bootstrap.

    Raises:
        ValueError: A column is missing or has no numbers, or a column that the level or interval needs was not named.
        UnknownNameError: The level or coefficient is unknown.
    """
    columns = JudgedColumns.read(frame, metrics=metrics, judgment=judgment, image=image, system=system, rater=rater)
    request = interval
    if isinstance(interval, str):
        request = IntervalRequest("percentile", tuple(interval.split(",")), n_resamples)
    results = correlate_metrics(
        columns.scores,
        columns.judgments,
        level=level,
        coefficient=coefficient,
        interval=request if isinstance(request, IntervalRequest) else None,
        rng=np.random.default_rng(seed),
        groups=columns.groups,
        systems=columns.systems,
        raters=columns.raters,
    )
    points = {}
    for name, scores in columns.scores.items():
        is_complete = ~(np.isnan(scores) | np.isnan(columns.judgments))
        points[name] = (tuple(columns.judgments[is_complete].tolist()), tuple(scores[is_complete].tolist()))
    return Correlations(judgment, MappingProxyType(results), MappingProxyType(points))
