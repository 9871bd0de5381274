"""The heatmap of pairwise differences between metrics, with significance marks."""

from collections.abc import Sequence
from typing import Any

from correlation.figures.style import (
    DARK_FROM,
    FAINT,
    INK,
    RULES,
    SHADES,
    frame_figure,
    head_figure,
    make_room,
    title_measure,
)
from correlation.protocols.row import ResultMeasure
from correlation.reports.layout import CORRECTIONS, print_number
from correlation.reports.report import Report
from correlation.reports.values import ReportDifference

CELL_WIDTH, CELL_HEIGHT = 62, 40
# Below these bounds a significant difference has a further star.
FURTHER_STARS = (0.01, 0.001)


def draw_differences(report: Report, *, measure: ResultMeasure | None = None) -> dict[str, Any]:
    """Return the specification of the heatmap of a measure, by default the one that ranks the metrics.

    A cell shows the value of the better metric (row) minus that of the worse one (column), so that no difference is
    negative; darker is larger. Stars indicate the size of the corrected p-value; differences that are not significant
    are printed in grey on white.
    """
    shown = measure or report.ranking_measure
    found = [each for each in report.differences if each.measure == shown]
    names = [metric.id for metric in report.metrics if any(metric.id in (d.first, d.second) for d in found)]
    cells = _describe_cells(found, report.design.alpha)
    rows = [name for name in names if any(cell["first"] == name for cell in cells)]
    columns = [name for name in names if any(cell["second"] == name for cell in cells)]
    largest = max((cell["difference"] or 0.0 for cell in cells), default=1.0) or 1.0
    axis = {"ticks": False, "domain": False, "grid": False, "labelPadding": 8, "labelLimit": 260}
    width = CELL_WIDTH * max(len(columns), 1)
    marks = _explain_marks(report, shown)
    return frame_figure(
        width=width,
        height=CELL_HEIGHT * max(len(rows), 1),
        padding=make_room(report.title, marks, width=width),
        title=head_figure(report.title, marks),
        data={"values": [cell | {"is_dark": _is_dark(cell, largest)} for cell in cells]},
        encoding={
            "y": {"field": "first", "type": "nominal", "title": "better", "scale": {"domain": rows}, "axis": axis},
            "x": {
                "field": "second",
                "type": "nominal",
                "title": "worse",
                "scale": {"domain": columns},
                "axis": axis | {"orient": "bottom", "labelAngle": -40},
            },
        },
        layer=[_draw_cells(largest), _draw_numbers(), _draw_stars()],
    )


def list_bounds(alpha: float) -> tuple[float, ...]:
    """Return the bounds of the stars: alpha, below which metrics share no letter, and smaller ones.

    >>> list_bounds(0.05), list_bounds(0.01)
    ((0.05, 0.01, 0.001), (0.01, 0.001))
    """
    return (alpha, *(bound for bound in FURTHER_STARS if bound < alpha))


def mark_significance(p_adjusted: float | None, *, alpha: float) -> str:
    """Return one star for each bound of `list_bounds` that the corrected p-value is below.

    >>> [mark_significance(p, alpha=0.05) for p in (0.04, 0.0005, 0.2, None)]
    ['*', '***', '', '']
    """
    return "" if p_adjusted is None else "*" * sum(p_adjusted < bound for bound in list_bounds(alpha))


def _describe_cells(found: Sequence[ReportDifference], alpha: float) -> list[dict[str, Any]]:
    return [
        {
            "first": each.first,
            "second": each.second,
            "difference": each.difference,
            "p": each.p_adjusted,
            "is_significant": each.p_adjusted is not None and each.p_adjusted < alpha,
            "printed": "n/a" if each.difference is None else print_number(each.difference),
            "stars": mark_significance(each.p_adjusted, alpha=alpha),
        }
        for each in found
    ]


def _is_dark(cell: dict[str, Any], largest: float) -> bool:
    return bool(cell["is_significant"]) and (cell["difference"] or 0.0) / largest >= DARK_FROM


def _explain_marks(report: Report, measure: ResultMeasure) -> list[str]:
    design = report.design
    bounds = ", ".join(f"{'*' * (place + 1)} p < {bound:g}" for place, bound in enumerate(list_bounds(design.alpha)))
    test = f"{design.test}, {CORRECTIONS[design.correction]}"
    return [
        f"Difference in {title_measure(measure)}: row minus column.",
        f"{bounds} ({test}).",
        f"On white: not significant at {design.alpha:g}.",
    ]


def _draw_cells(largest: float) -> dict[str, Any]:
    return {
        "mark": {"type": "rect", "stroke": RULES, "strokeWidth": 1},
        "encoding": {
            "color": {
                "condition": {
                    "test": {"field": "is_significant", "equal": True},
                    "field": "difference",
                    "type": "quantitative",
                    "scale": {"domain": [0, largest], "range": list(SHADES)},
                    "legend": None,
                },
                "value": "white",
            }
        },
    }


def _letters() -> dict[str, Any]:
    return {
        "condition": [
            {"test": {"field": "is_dark", "equal": True}, "value": "white"},
            {"test": {"field": "is_significant", "equal": False}, "value": FAINT},
        ],
        "value": INK,
    }


def _draw_numbers() -> dict[str, Any]:
    return {
        "mark": {"type": "text", "fontSize": 12, "dy": -5},
        "encoding": {"text": {"field": "printed"}, "color": _letters()},
    }


def _draw_stars() -> dict[str, Any]:
    return {
        "mark": {"type": "text", "fontSize": 13, "dy": 11},
        "encoding": {"text": {"field": "stars"}, "color": _letters()},
    }
