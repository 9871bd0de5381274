"""Figures of a study, and their text alternatives."""

from collections.abc import Iterable
from typing import Any

from correlation.figures import draw_forest, scatter
from correlation.figures.forest_rows import LAYOUTS as FOREST_SIZES
from correlation.figures.rendering import CONTENT_TYPES
from correlation.figures.scatter import MOST_ITEMS, SIZES
from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports import Report
from correlation.reports.headline import write_headline
from correlation.reports.layout import TITLES
from studies.analysis.scatter.points import ScatterPoints
from studies.scoring.plugins.catalog import load_catalog

__all__ = [
    "CONTENT_TYPES",
    "FOREST_SIZES",
    "MOST_ITEMS",
    "SIZES",
    "describe_forest",
    "describe_scatter",
    "draw_forest",
    "draw_scatter",
    "name_measure",
]


def draw_scatter(points: ScatterPoints, *, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the scatter plot of a metric (y) and people (x), with the least-squares line."""
    return scatter.draw_scatter(
        points.judgments,
        points.scores,
        judgment_title=points.judgment_title,
        score_title=points.score_title,
        items=points.pks,
        size=size,
    )


def describe_scatter(rows: Iterable[ResultRow], *, metric: str, against: str = "human judgments") -> str:
    """Return the text alternative of a metric's scatter plot, with the numbers in its rows."""
    numbers = "; ".join(
        f"{' '.join(filter(None, (TITLES[row.coefficient], row.category)))} {_print_value(row.value)}, n = {row.n:,}"
        for row in rows
        if row.metric == metric
    )
    return f"Scatter plot of {metric} against {against}, with the least-squares line: {numbers}."


def describe_forest(report: Report) -> str:
    """Return the text alternative of the forest plot."""
    measure = report.ranking_measure
    rows = [report.get_row(metric.id, measure) for metric in report.metrics]
    told = "; ".join(
        f"{row.metric} {_print_value(row.value, row.low, row.high)}{f', {row.letters}' if row.letters else ''}"
        for row in rows
    )
    people = [
        f" People, {each.method}: {_print_value(each.value, each.low, each.high)}."
        for each in report.ceilings
        if each.measure == measure and each.value is not None
    ]
    return f"Forest plot, {name_measure(measure)}, best first: {told}.{''.join(people)}"


def write_study_headline(report: Report) -> str:
    """Return the sentence that says which metric agrees best, with the titles of metrics whose plugins are loaded."""
    # Pages for visitors do not wait until plugins are loaded only to print titles.
    catalog = load_catalog(within=0.0)
    return write_headline(report, titles={entry.info.id: entry.info.title for entry in catalog})


def name_measure(measure: ResultMeasure) -> str:
    """Return the name of a measure in texts."""
    category = f", {measure.category}" if measure.category else ""
    return f"{TITLES[measure.coefficient]} at level {measure.level}{category}"


def _print_value(value: float | None, low: float | None = None, high: float | None = None) -> str:
    if value is None:
        return "undefined"
    bounds = f" [{low:.3f}, {high:.3f}]" if low is not None and high is not None else ""
    return f"{value:.3f}{bounds}"
