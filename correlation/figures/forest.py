"""The forest plot: agreement of each metric with people, with intervals and human ceilings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType
from typing import Any

from correlation.errors import check_name
from correlation.figures.style import (
    BAND,
    FAINT,
    FIT,
    POINTS,
    TEXT,
    WIDEST_LETTERS,
    frame_figure,
    head_figure,
    title_measure,
)
from correlation.protocols.row import ResultMeasure, ResultRow
from correlation.reports.layout import print_number
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling

NAME_LIMIT = 260
# The least range of an axis, and what is added to a smaller one at both ends.
LEAST_ROOM = 0.05
# Pixels of a letter.
MARK_WIDTH = 8


@dataclass(frozen=True, slots=True)
class Layout:
    """Positions of the parts of a row in pixels; `below` is the offset of the mark from the middle of the row.

    In a row whose mark is below, name and numbers are above the mark; otherwise they are to its left and right.
    """

    width: int
    row_height: int
    below: int = 0
    n_letters: int = 200
    n_title_letters: int = 200

    @property
    def is_stacked(self) -> bool:
        return self.below > 0


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "wide": Layout(420, 30),
        "narrow": Layout(270, 46, below=9, n_letters=46, n_title_letters=30),
    }
)
"""Layouts by size; `narrow` keeps the text legible on a phone."""


def draw_forest(report: Report, *, measure: ResultMeasure | None = None, size: str = "wide") -> dict[str, Any]:
    """Return the specification of the forest plot of a measure, by default the one that ranks the metrics.

    Metrics are in the order of the report, with value, interval and letters at the right. A dashed line
    shows a human ceiling in the same coefficient, and a band its interval. A metric above a ceiling is drawn as an open
    diamond; an undefined one is labelled as such and has no mark. `size` is a name in `LAYOUTS`.

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
    zero = [_draw_rule([0.0], color=FAINT, dash=[1, 0])] if min(ends, default=0) < 0 < max(ends, default=0) else []
    layout = find_layout(size)
    return frame_rows(
        [_describe_row(row) for row in rows],
        title=report.title,
        notes=_explain_marks(report, rows),
        axis=title_measure(shown),
        layout=layout,
        scale=_make_scale(ends),
        behind=[*zero, *_draw_ceilings(ceilings, layout)],
    )


def find_layout(size: str) -> Layout:
    """Return the layout of a size; an unknown one raises `UnknownNameError`."""
    check_name("size of a figure", size, LAYOUTS)
    return LAYOUTS[size]


def frame_rows(
    rows: Sequence[Mapping[str, Any]],
    *,
    title: str,
    notes: Sequence[str],
    axis: str,
    layout: Layout,
    scale: Mapping[str, Any] | None = None,
    behind: Sequence[Mapping[str, Any]] = (),
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
    behind
        Layers behind the rows.
    """
    lines = [part for line in notes for part in wrap(line, layout.n_letters)]
    titles = wrap(title, layout.n_title_letters)
    return frame_figure(
        width=layout.width,
        height=layout.row_height * len(rows),
        title={**head_figure(title, lines), **({"text": titles} if len(titles) > 1 else {})},
        data={"values": list(rows)},
        encoding={
            "x": {
                "type": "quantitative",
                "title": axis,
                "scale": dict(scale or {"zero": False}),
                # In stacked rows the numbers would overlap the grid lines.
                "axis": {"labelFlush": False, "grid": not layout.is_stacked},
            }
        },
        layer=[
            *behind,
            *_draw_marks(
                [row["metric"] for row in rows], layout, n_marks=max([1, *(len(row["letters"]) for row in rows)])
            ),
        ],
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


def _draw_ceilings(ceilings: Sequence[ReportCeiling], layout: Layout) -> list[dict[str, Any]]:
    layers = []
    # Centred over the line, or at the right end of the figure if the text could extend beyond it.
    align, x = ("right", {"value": layout.width}) if layout.is_stacked else ("center", {"field": "value"})
    for place, ceiling in enumerate(ceilings):
        ends = {"low": ceiling.low, "high": ceiling.high}
        if None not in ends.values():
            layers.append(
                {
                    "data": {"values": [ends]},
                    "mark": {"type": "rect", "color": BAND},
                    "encoding": {"x": {"field": "low"}, "x2": {"field": "high"}},
                }
            )
        named = [{"value": ceiling.value, "name": f"people, {ceiling.method}"}]
        layers.append(_draw_rule([ceiling.value], color=FIT, dash=[6, 4]))
        layers.append(
            {
                "data": {"values": named},
                "mark": {"type": "text", "color": FIT, "fontSize": 12, "baseline": "bottom", "align": align},
                # Ceilings may be close together, so each name is on a line of its own.
                "encoding": {"x": x, "y": {"value": -4 - 15 * place}, "text": {"field": "name"}},
            }
        )
    return layers


def _draw_rule(places: Sequence[float | None], *, color: str, dash: list[int]) -> dict[str, Any]:
    return {
        "data": {"values": [{"value": place} for place in places]},
        "mark": {"type": "rule", "color": color, "strokeWidth": 1.5, "strokeDash": dash},
        "encoding": {"x": {"field": "value"}},
    }


def _draw_marks(names: Sequence[str], layout: Layout, *, n_marks: int) -> list[dict[str, Any]]:
    """Return the layers of the rows: interval, mark, name, letters and numbers.

    Rows are in the data of the figure, with the fields of `describe_row`; `names` is their order, and `n_marks` the
    largest number of letters in a row.
    """
    labels = {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": NAME_LIMIT}
    y = {
        "field": "metric",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(names)},
        "axis": None if layout.is_stacked else labels,
    }
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
    lowered = {"yOffset": layout.below} if layout.is_stacked else {}
    return [
        {"mark": bar | lowered, "encoding": {"y": y, "x": {"field": "low"}, "x2": {"field": "high"}}},
        *(
            {
                "transform": [{"filter": {"field": "is_above", "equal": is_above}}],
                "mark": mark | lowered | {"invalid": "filter"},
                "encoding": {"y": y, "x": {"field": "value"}},
            }
            for is_above, mark in ((False, circle), (True, diamond))
        ),
        *(
            {
                "mark": {"type": "text", "align": align, "fontSize": 12, "color": TEXT, **more},
                "encoding": {"y": y, "x": {"value": place}, "text": {"field": field}},
            }
            for field, place, align, more in _place_texts(layout, n_marks)
        ),
    ]


def _place_texts(layout: Layout, n_marks: int) -> list[tuple[str, int, str, dict[str, Any]]]:
    """Field, horizontal position, alignment and further mark properties of each text of a row."""
    width = layout.width
    if not layout.is_stacked:
        return [("letters", width + 14, "left", {}), ("printed", width + 30 + MARK_WIDTH * n_marks, "left", {})]
    above = {"yOffset": -layout.below}
    # Room for 22 letters at the widest fallback font. A truncated name is given in full in the table.
    numbers = round(22 * 12 * WIDEST_LETTERS)
    # A white outline first, since the lines of ceilings cross the text.
    return [
        (field, place, align, {**above, **limit, **halo})
        for halo in ({"stroke": "white", "strokeWidth": 4}, {})
        for field, place, align, limit in (
            ("metric", 0, "left", {"limit": width - numbers - MARK_WIDTH * n_marks}),
            ("letters", width - numbers - MARK_WIDTH * (n_marks - 1), "left", {}),
            ("printed", width, "right", {}),
        )
    ]
