"""Correlate columns of a data frame with judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from correlation.correlate import CorrelationResult
from correlation.correlate_metrics import correlate_metrics
from correlation.resampling.intervals import IntervalRequest
from correlation.validation import KeyArray

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = ("metric", "value", "low", "high", "n", "n_missing")


@dataclass(frozen=True, slots=True)
class Figure:
    """A Vega-Lite specification, which notebooks display as an SVG."""

    specification: Mapping[str, Any]

    def render(self, file_format: str) -> bytes:
        """Return the figure as `svg`, `png` or `pdf`."""
        from correlation.figures import render

        return render(self.specification, file_format)

    def _repr_svg_(self) -> str:
        return self.render("svg").decode()


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
        """Return the scatter plot of one metric's scores against the judgments, by default of the first metric.

        Raises:
            KeyError: The metric was not correlated.
        """
        from correlation.figures import draw_scatter

        name = next(iter(self.results)) if metric is None else metric
        judgments, scores = self.points[name]
        return Figure(draw_scatter(judgments, scores, judgment_title=self.judgment, score_title=name))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}: {each.value:.4f}" for name, each in self.results.items())
        return f"Correlations({self.signature}; {values})"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        body = "".join(
            f"<tr><td>{escape(name)}</td>"
            + "".join(f"<td>{_print_cell(getattr(each, field))}</td>" for field in _COLUMNS[1:])
            + "</tr>"
            for name, each in self.results.items()
        )
        caption = f"<caption>Agreement with {escape(self.judgment)}: <code>{escape(self.signature)}</code></caption>"
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


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
        ValueError: A column is missing, or a column that the level or interval needs was not named.
        UnknownNameError: The level or coefficient is unknown.
    """
    if isinstance(metrics, str) or not metrics:
        raise ValueError(f"`metrics` must be a list of at least one column, got {metrics!r}")
    for column in (*metrics, judgment, image, system, rater):
        if column is not None and column not in frame.columns:
            raise ValueError(f"the frame has no column {column!r} (it has: {', '.join(map(str, frame.columns))})")
    request = interval
    if isinstance(interval, str):
        request = IntervalRequest("percentile", tuple(interval.split(",")), n_resamples)
    columns = {name: frame[name].to_numpy(dtype=np.float64) for name in metrics}
    judgments = frame[judgment].to_numpy(dtype=np.float64)
    results = correlate_metrics(
        columns,
        judgments,
        level=level,
        coefficient=coefficient,
        interval=request if isinstance(request, IntervalRequest) else None,
        rng=np.random.default_rng(seed),
        groups=_read_keys(frame, image),
        systems=_read_keys(frame, system),
        raters=_read_keys(frame, rater),
    )
    points = {}
    for name, scores in columns.items():
        is_complete = ~(np.isnan(scores) | np.isnan(judgments))
        points[name] = (tuple(judgments[is_complete].tolist()), tuple(scores[is_complete].tolist()))
    return Correlations(judgment, MappingProxyType(results), MappingProxyType(points))


def _read_keys(frame: "pd.DataFrame", column: str | None) -> KeyArray | None:
    return None if column is None else np.asarray(frame[column].astype(str).tolist(), dtype=np.str_)


def _print_cell(value: float | int | None) -> str:
    if value is None:
        return ""
    return str(value) if isinstance(value, int) else f"{value:.4f}"
