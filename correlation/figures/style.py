"""What all figures share: colours, letters and the frame of a specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from correlation.reports.layout import TITLES, NumberStyle
from correlation.reports.values import ReportMeasure

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
POINTS, FIT, TEXT, RULES = "#1f5f8b", "#a8480f", "#1c1c1c", "#d9d9d2"
FAINT = "#5c5c57"
BAND = "#f1e3d6"
# From light to dark in one hue, so that more is darker in grey print too.
SHADES = ("#f4f8fb", "#b5d0e3", "#6ba3c6", "#1f5f8b", "#123a57")
# Letters on a shade are black, from this share of the range on white: their contrast is 4.5 or more on every shade.
INK, DARK_FROM = "#000000", 0.645
NUMBERS = NumberStyle.choose(None, percent=False)

# One weight of one font: a PDF with several lists them in an order that changes from one run to the next.
CONFIG: Mapping[str, Any] = MappingProxyType(
    {
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
)


def frame_figure(**parts: Any) -> dict[str, Any]:
    """A whole specification from its parts."""
    return {"$schema": SCHEMA, "background": "white", "padding": 12, "config": dict(CONFIG), **parts}


def title_measure(measure: ReportMeasure) -> str:
    """A measure as the title of an axis.

    >>> title_measure(ReportMeasure("group", "pearson")), title_measure(ReportMeasure("pair", "accuracy", "HC"))
    ('Pearson r, group level', 'accuracy, HC')
    """
    parts = [TITLES[measure.coefficient]]
    parts += [f"{measure.level} level"] if measure.level not in ("item", "pair") else []
    return ", ".join([*parts, *([measure.category] if measure.category else [])])


def head_figure(title: str, lines: Sequence[str] = ()) -> dict[str, Any]:
    """A title at the left with explanations below it; without either an empty one, which takes no room."""
    return {
        "text": title,
        "subtitle": list(lines),
        "anchor": "start",
        "frame": "group",
        "offset": 14,
        "fontSize": 17,
        "fontWeight": "normal",
        "color": TEXT,
        "subtitleFontSize": 12,
        "subtitleColor": FAINT,
        "subtitlePadding": 5,
    }


def print_number(value: float) -> str:
    """A value with three digits, and the minus sign that the axes have.

    >>> print_number(0.5), print_number(-0.25) == "\\N{MINUS SIGN}0.250"
    ('0.500', True)
    """
    return NUMBERS.print_value(value).replace("-", "\N{MINUS SIGN}")
