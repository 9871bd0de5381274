"""Figures as Vega-Lite specifications, and their rendering for a page or a paper."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from correlation.scatter import Cells, Line, fit_line, gather_cells
from studies.domain.results import ResultTable
from studies.domain.scatter import ScatterPoints

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
POINTS, FIT, TEXT, RULES = "#1f5f8b", "#a8480f", "#1c1c1c", "#d9d9d2"
BINS = 44
LEAST_AREA, MOST_AREA = 40, 900
"""Bounds of the area in square pixels of the fullest circle, which otherwise takes its share of the plot."""
MOST_TICKS = 9
"""A scale of this many whole numbers or fewer has a tick at each of its values and nowhere else."""

SIZES: Final[Mapping[str, tuple[int, int]]] = {"wide": (640, 400), "narrow": (340, 300)}
"""Name -> width and height of the plot in pixels; `narrow` keeps its letters legible on a phone."""

CONTENT_TYPES: Final[Mapping[str, str]] = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def draw_scatter(points: ScatterPoints, *, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the scatter of a metric (up) against people (across), with the least-squares line.

    Nothing is shifted to make room: points at one place are one circle, whose area is their number. Where there are
    more than 1,500 places, neighbours share a circle. The line is fitted to the points themselves.
    """
    cells = gather_cells(points.judgments, points.scores, bins=BINS)
    line = fit_line(points.judgments, points.scores)
    width, height = SIZES[size]
    columns = sorted(set(cells.x.tolist()))
    share = width * height / max(len(cells.count), 1)
    largest = min(max(share, LEAST_AREA), MOST_AREA)
    return {
        "$schema": SCHEMA,
        "width": width,
        "height": height,
        "background": "white",
        "padding": 12,
        "config": _CONFIG,
        "encoding": {
            "x": _make_axis("judgment", points.judgment_title, ticks=columns),
            "y": _make_axis("score", points.score_title, ticks=None),
        },
        "layer": [_draw_cells(cells, largest=largest), *([_draw_line(line)] if line else [])],
    }


def describe_scatter(table: ResultTable, *, metric: str) -> str:
    """Return what the figure shows, for those who do not see it."""
    line = table.get_line(metric)
    numbers = "; ".join(
        f"{row.coefficient}{f' {row.category}' if row.category else ''} {_print_value(row.value)}, n = {row.n:,}"
        for row in line.cells
        if row
    )
    return f"Scatter plot of {metric} against people, with the least-squares line: {numbers}."


def render_figure(specification: Mapping[str, Any], *, file_format: str) -> bytes:
    """Return the figure as a file of one of `CONTENT_TYPES`; a PNG has twice the pixels, for sharp screens."""
    import vl_convert

    if file_format == "png":
        return bytes(vl_convert.vegalite_to_png(dict(specification), scale=2))
    if file_format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(dict(specification)))
    return str(vl_convert.vegalite_to_svg(dict(specification))).encode()


_CONFIG: Final[dict[str, Any]] = {
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 13,
        "titleFontSize": 14,
        "titleFontWeight": "normal",
        "titlePadding": 10,
        "labelColor": TEXT,
        "titleColor": TEXT,
        "gridColor": RULES,
        "domainColor": "#8a8a84",
        "tickColor": "#8a8a84",
        "tickCount": 6,
    },
    "legend": {
        "labelFontSize": 13,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
        "orient": "top",
        "symbolFillColor": POINTS,
        "symbolStrokeWidth": 0,
    },
}


def _print_value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _draw_cells(cells: Cells, *, largest: float) -> dict[str, Any]:
    values = [
        {"judgment": x, "score": y, "count": count}
        for x, y, count in zip(cells.x.tolist(), cells.y.tolist(), cells.count.tolist(), strict=True)
    ]
    most = max((value["count"] for value in values), default=1)
    area: dict[str, Any] = {"value": 90}
    if most > 1:
        area = {
            "field": "count",
            "type": "quantitative",
            "title": "points in a circle",
            "scale": {"type": "linear", "domain": [1, most], "range": [largest / 25, largest]},
            "legend": {"values": sorted({1, (most + 1) // 2, most}), "format": ",d"},
        }
    return {
        "data": {"values": values},
        "mark": {"type": "circle", "color": POINTS, "opacity": 0.55},
        "encoding": {"size": area},
    }


def _draw_line(line: Line) -> dict[str, Any]:
    ends = [{"judgment": x, "score": line.at(x)} for x in (line.x_low, line.x_high)]
    return {"data": {"values": ends}, "mark": {"type": "line", "color": FIT, "strokeWidth": 2.5}}


def _make_axis(field: str, title: str, *, ticks: Sequence[float] | None) -> dict[str, Any]:
    # Room at both ends, so that no circle is cut by the frame; an axis begins where its data do and not at zero.
    axis: dict[str, Any] = {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"zero": False, "nice": False, "padding": 16},
    }
    if ticks and len(ticks) <= MOST_TICKS and all(tick.is_integer() for tick in ticks):
        axis["axis"] = {"values": list(ticks), "format": "d"}
    return axis
