"""The forest plot: every metric's agreement with people, its interval, and how far people agree with people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from correlation.figures.style import (
    BAND,
    FAINT,
    FIT,
    POINTS,
    TEXT,
    frame_figure,
    head_figure,
    print_number,
    title_measure,
)
from correlation.reports.report import Report
from correlation.reports.values import ReportCeiling, ReportMeasure, ReportRow

WIDTH, ROW_HEIGHT = 420, 30


def draw_forest(report: Report, *, measure: ReportMeasure | None = None) -> dict[str, Any]:
    """The specification of the forest plot of one measure, by default the one that ranks the metrics.

    Metrics stand in the order of the report, with value, interval and the letter of the rank cluster at the right. A
    dashed line is a human ceiling in the very coefficient, the band its interval. A metric above a ceiling is an open
    diamond; one whose value is undefined says so and has no mark.
    """
    shown = measure or report.ranking_measure
    rows = [report.get_row(metric.id, shown) for metric in report.metrics]
    ceilings = [each for each in report.ceilings if each.measure == shown and each.value is not None]
    drawn: list[ReportRow | ReportCeiling] = [*rows, *ceilings]
    ends = [end for each in drawn for end in (each.value, each.low, each.high) if end is not None]
    zero = [_draw_rule([0.0], color=FAINT, dash=[1, 0])] if min(ends, default=0) < 0 < max(ends, default=0) else []
    return frame_figure(
        width=WIDTH,
        height=ROW_HEIGHT * len(rows),
        title=head_figure(report.title, _explain_marks(report, rows)),
        data={"values": [_describe_row(row) for row in rows]},
        encoding={
            "x": {
                "type": "quantitative",
                "title": title_measure(shown),
                "scale": {"zero": False},
                "axis": {"labelFlush": False},
            }
        },
        layer=[
            *zero,
            *_draw_ceilings(ceilings),
            *_draw_metrics([row.metric for row in rows]),
        ],
    )


def _describe_row(row: ReportRow) -> dict[str, Any]:
    printed = "undefined" if row.value is None else print_number(row.value)
    if row.low is not None and row.high is not None:
        printed += f" [{print_number(row.low)}, {print_number(row.high)}]"
    return {
        "metric": row.metric,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "is_above": row.is_above_ceiling,
        "printed": printed,
        "cluster": row.cluster or "",
    }


def _explain_marks(report: Report, rows: Sequence[ReportRow]) -> list[str]:
    design, lines = report.design, []
    if any(row.low is not None for row in rows):
        over = f" over {' x '.join(design.clusters)}" if design.clusters else ""
        lines.append(f"Bars: {100 * (1 - design.alpha):g} % {design.method} intervals{over}.")
    marks = ["Letters: rank clusters."] if any(row.cluster for row in rows) else []
    marks += ["Open diamonds: above the human ceiling."] if any(row.is_above_ceiling for row in rows) else []
    lines += [" ".join(marks)] if marks else []
    return lines


def _draw_ceilings(ceilings: Sequence[ReportCeiling]) -> list[dict[str, Any]]:
    layers = []
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
                "mark": {"type": "text", "color": FIT, "fontSize": 12, "baseline": "bottom"},
                # Several ceilings may be close: each name has a line of its own.
                "encoding": {"x": {"field": "value"}, "y": {"value": -4 - 15 * place}, "text": {"field": "name"}},
            }
        )
    return layers


def _draw_rule(places: Sequence[float | None], *, color: str, dash: list[int]) -> dict[str, Any]:
    return {
        "data": {"values": [{"value": place} for place in places]},
        "mark": {"type": "rule", "color": color, "strokeWidth": 1.5, "strokeDash": dash},
        "encoding": {"x": {"field": "value"}},
    }


def _draw_metrics(names: Sequence[str]) -> list[dict[str, Any]]:
    y = {
        "field": "metric",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(names)},
        "axis": {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": 260},
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
    text = {"type": "text", "align": "left", "fontSize": 12, "color": TEXT}
    return [
        {"mark": bar, "encoding": {"y": y, "x": {"field": "low"}, "x2": {"field": "high"}}},
        *(
            {
                "transform": [{"filter": {"field": "is_above", "equal": is_above}}],
                "mark": mark | {"invalid": "filter"},
                "encoding": {"y": y, "x": {"field": "value"}},
            }
            for is_above, mark in ((False, circle), (True, diamond))
        ),
        *(
            {"mark": text, "encoding": {"y": y, "x": {"value": WIDTH + gap}, "text": {"field": field}}}
            for field, gap in (("cluster", 14), ("printed", 38))
        ),
    ]
