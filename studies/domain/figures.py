"""Figures of a study, and their descriptions for those who do not see them."""

from collections.abc import Mapping
from typing import Any

from correlation.figures import scatter
from correlation.figures.rendering import CONTENT_TYPES, render
from correlation.figures.scatter import SIZES
from correlation.reports.layout import TITLES
from studies.domain.results import ResultTable
from studies.domain.scatter import ScatterPoints

__all__ = ["CONTENT_TYPES", "SIZES", "describe_scatter", "draw_scatter", "render_figure"]


def draw_scatter(points: ScatterPoints, *, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the scatter of a metric (up) against people (across), with the least-squares line."""
    return scatter.draw_scatter(
        points.judgments,
        points.scores,
        judgment_title=points.judgment_title,
        score_title=points.score_title,
        size=size,
    )


def describe_scatter(table: ResultTable, *, metric: str) -> str:
    """Return what the figure shows, for those who do not see it."""
    line = table.get_line(metric)
    numbers = "; ".join(
        f"{' '.join(filter(None, (TITLES[row.coefficient], row.category)))} {_print_value(row.value)}, n = {row.n:,}"
        for row in line.cells
        if row
    )
    return f"Scatter plot of {metric} against people, with the least-squares line: {numbers}."


def render_figure(specification: Mapping[str, Any], *, file_format: str) -> bytes:
    """Return the figure as a file of one of `CONTENT_TYPES`; a PNG has twice the pixels, for sharp screens."""
    return render(specification, file_format)


def _print_value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"
