"""The forest plot: agreement of each metric with people, with intervals and human ceilings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import Any, Final

from correlation.figures.forest_rows import (
    FONT_SIZE,
    LINE_HEIGHT,
    MARK_WIDTH,
    Layout,
    PlacedRows,
    count_marks,
    find_layout,
    find_marks,
    place_rows,
)
from correlation.figures.style import BAND, FAINT, FIT, POINTS, TEXT, frame_figure, head_figure, title_measure
from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports.layout import print_number
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling

NAME_LIMIT = 260
# The least range of an axis, and what is added to a smaller one at both ends.
LEAST_ROOM = 0.05
_PIXELS: Final[Mapping[str, Any]] = MappingProxyType({"type": "quantitative", "scale": None, "axis": None})


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A vertical line behind all rows, with its interval as a band and its name above the figure where given."""

    value: float | None
    color: str
    dash: tuple[int, int]
    low: float | None = None
    high: float | None = None
    name: str = ""


def draw_forest(report: Report, *, measure: ResultMeasure | None = None, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the forest plot of a measure, by default the one that ranks the metrics.

    Metrics are in the order of the report, with value, interval and letters at the right. A dashed line
    shows a human ceiling in the same coefficient, and a band its interval. A metric above a ceiling is drawn as an open
    diamond; an undefined one is labelled as such and has no mark. `size` is a name in
    `correlation.figures.forest_rows.LAYOUTS`.

    Raises
    ------
    UnknownNameError
        The size is unknown.
    """
    shown = measure or report.ranking_measure
    rows = [report.get_row(metric.id, shown) for metric in report.metrics]
    ceilings = [each for each in report.ceilings if each.measure == shown and each.value is not None]
    drawn: list[ResultRow | ReportCeiling] = [*rows, *ceilings]
    ends = [end for each in drawn for end in (each.value, each.low, each.high) if end is not None]
    zero = [ReferenceLine(0.0, FAINT, (1, 0))] if min(ends, default=0) < 0 < max(ends, default=0) else []
    return frame_rows(
        [_describe_row(row) for row in rows],
        title=report.title,
        notes=_explain_marks(report, rows),
        axis=title_measure(shown),
        layout=find_layout(size),
        scale=_make_scale(ends),
        references=[*zero, *(_describe_ceiling(each) for each in ceilings)],
    )


def frame_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    title: str,
    notes: Sequence[str],
    axis: str,
    layout: Layout,
    scale: Mapping[str, Any] | None = None,
    references: Sequence[ReferenceLine] = (),
) -> dict[str, Any]:
    """Return the specification of a forest plot.

    Parameters
    ----------
    rows
        The results of `describe_row`, from the top.
    title, notes
        The title of the figure, and the lines below it.
    axis, scale
        The title of the axis with the values, and its scale.
    layout
        The positions of the parts of a row.
    references
        Lines behind the rows. In stacked rows they are drawn only where the marks are, so that they cross no text.
    """
    lines = [part for line in notes for part in wrap(line, layout.n_letters)]
    titles = wrap(title, layout.n_title_letters)
    placed = place_rows(rows, layout)
    return frame_figure(
        width=layout.width,
        height=placed.height,
        title={**head_figure(title, lines), **({"text": titles} if len(titles) > 1 else {})},
        data={"values": list(placed.rows)},
        encoding={
            "x": {
                "type": "quantitative",
                "title": axis,
                "scale": dict(scale or {"zero": False}),
                # In stacked rows the numbers would overlap the grid lines.
                "axis": {"labelFlush": False, "grid": not layout.is_stacked},
            }
        },
        layer=[*_draw_references(references, placed, layout), *_draw_marks(placed, layout)],
    )


def describe_row(
    name: str,
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    letters: str = "",
    is_above: bool = False,
) -> dict[str, Any]:
    """Return a row of `frame_rows`; one without a value is labelled as undefined, `is_above` is an open diamond."""
    printed = "undefined" if value is None else print_number(value)
    if low is not None and high is not None:
        printed += f" [{print_number(low)}, {print_number(high)}]"
    return {
        "metric": name,
        "value": value,
        "low": low,
        "high": high,
        "is_above": is_above,
        "printed": printed,
        "letters": letters,
    }


def _make_scale(ends: Sequence[float]) -> dict[str, Any]:
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    # Around a single number Vega would draw one tick, whose label is rounded to another number.
    room = {"domain": [low - LEAST_ROOM, high + LEAST_ROOM]} if high - low < LEAST_ROOM else {}
    return {"zero": False, **room}


def _describe_row(row: ResultRow) -> dict[str, Any]:
    described = describe_row(
        row.metric, row.value, row.low, row.high, letters=row.letters or "", is_above=row.is_above_ceiling
    )
    return described | {"n": row.n, "n_missing": row.n_missing}


def _explain_marks(report: Report, rows: Sequence[ResultRow]) -> list[str]:
    design, lines = report.design, []
    if any(row.low is not None for row in rows):
        over = f" over {' x '.join(design.clusters)}" if design.clusters else ""
        lines.append(f"Bars: {100 * (1 - design.alpha):g} % {design.method} intervals{over}.")
    marks = ["Metrics that share a letter do not differ significantly."] if any(row.letters for row in rows) else []
    marks += ["Open diamonds: above the human ceiling."] if any(row.is_above_ceiling for row in rows) else []
    lines += [" ".join(marks)] if marks else []
    return lines


def _describe_ceiling(ceiling: ReportCeiling) -> ReferenceLine:
    return ReferenceLine(ceiling.value, FIT, (6, 4), ceiling.low, ceiling.high, f"people, {ceiling.method}")


def _draw_references(
    references: Sequence[ReferenceLine], placed: PlacedRows, layout: Layout
) -> Iterator[dict[str, Any]]:
    """Yield the layers of bands, lines and names; a line is in one piece, or in one for each stacked row."""
    pieces: list[dict[str, Any]] = [{}]
    y: dict[str, Any] = {}
    aria: dict[str, Any] = {}
    # Centred over the line, or at the right end of the figure if the text could extend beyond it.
    align = "center"
    x: dict[str, Any] = {"field": "value"}
    if layout.is_stacked:
        pieces = [{end: row[end] for end in ("top", "bottom")} for row in placed.rows]
        y = {"y": {**_PIXELS, "field": "top"}, "y2": {"field": "bottom"}}
        align, x = "right", {"value": layout.width}
        # The pieces of a line are not announced one by one.
        aria = {"aria": False}
    n_named = 0
    for line in references:
        if line.low is not None and line.high is not None:
            yield {
                "data": {"values": [{"low": line.low, "high": line.high, **piece} for piece in pieces]},
                "mark": {"type": "rect", "color": BAND, **aria},
                "encoding": {"x": {"field": "low"}, "x2": {"field": "high"}, **y},
            }
        yield {
            "data": {"values": [{"value": line.value, **piece} for piece in pieces]},
            "mark": {"type": "rule", "color": line.color, "strokeWidth": 1.5, "strokeDash": list(line.dash), **aria},
            "encoding": {"x": {"field": "value"}, **y},
        }
        if line.name:
            yield {
                "data": {"values": [{"value": line.value, "name": line.name}]},
                "mark": {
                    "type": "text",
                    "color": line.color,
                    "fontSize": FONT_SIZE,
                    "baseline": "bottom",
                    "align": align,
                },
                # Lines may be close together, so each name is on a line of its own.
                "encoding": {"x": x, "y": {"value": -4 - LINE_HEIGHT * n_named}, "text": {"field": "name"}},
            }
            n_named += 1


def _draw_marks(placed: PlacedRows, layout: Layout) -> list[dict[str, Any]]:
    """Return the layers of the rows: interval, mark, name, letters and numbers.

    Rows are in the data of the figure, with the fields of `describe_row`.
    """
    place: dict[str, Any] = {"y": _name_rows(placed)}
    if layout.is_stacked:
        place = _read_pixels("mark_middle", said="described")
    bar = {"type": "rule", "color": POINTS, "strokeWidth": 2.5}
    circle = {"type": "point", "shape": "circle", "filled": True, "size": 90, "color": POINTS, "opacity": 1}
    diamond = {
        "type": "point",
        "shape": "diamond",
        "fill": "white",
        "size": 130,
        "stroke": POINTS,
        "strokeWidth": 2,
        "opacity": 1,
    }
    return [
        {"mark": bar, "encoding": place | {"x": {"field": "low"}, "x2": {"field": "high"}}},
        *(
            {
                "transform": [{"filter": {"field": "is_above", "equal": is_above}}],
                "mark": mark | {"invalid": "filter"},
                "encoding": place | {"x": {"field": "value"}},
            }
            for is_above, mark in ((False, circle), (True, diamond))
        ),
        *(_stack_texts(placed, layout) if layout.is_stacked else _line_up_texts(placed, layout, place)),
    ]


def _name_rows(placed: PlacedRows) -> dict[str, Any]:
    return {
        "field": "metric",
        "type": "nominal",
        "title": None,
        "scale": {"domain": [row["metric"] for row in placed.rows]},
        "axis": {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": NAME_LIMIT},
    }


def _line_up_texts(placed: PlacedRows, layout: Layout, place: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the layers of the texts to the right of the marks."""
    numbers = layout.width + 30 + MARK_WIDTH * count_marks(placed.rows)
    return [_write("letters", layout.width + 14, place), _write("printed", numbers, place)]


def _stack_texts(placed: PlacedRows, layout: Layout) -> list[dict[str, Any]]:
    """Return the layers of the texts above the marks."""
    top: dict[str, Any] = {"baseline": "top"}
    return [
        # A name of unusually wide letters is cut. The table has it in full.
        _write("lines", 0, _read_pixels("name_top", said="metric"), lineHeight=LINE_HEIGHT, limit=layout.width, **top),
        _write("letters", find_marks(placed.rows, layout), _read_pixels("numbers_top", said="letters"), **top),
        _write("printed", layout.width, _read_pixels("numbers_top", said="printed"), align="right", **top),
    ]


def _write(field: str, x: int, place: Mapping[str, Any], *, align: str = "left", **more: Any) -> dict[str, Any]:
    return {
        "mark": {"type": "text", "align": align, "fontSize": FONT_SIZE, "color": TEXT, **more},
        "encoding": {**place, "x": {"value": x}, "text": {"field": field}},
    }


def _read_pixels(field: str, *, said: str) -> dict[str, Any]:
    """Return the encoding of a field with pixels from the upper edge, and of a field for screen readers.

    They would otherwise be told the pixels.
    """
    return {"y": {**_PIXELS, "field": field}, "description": {"field": said}}
