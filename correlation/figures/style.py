"""Shared style of all figures: colours, fonts and the frame of a specification."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from correlation.protocols.row import ResultMeasure
from correlation.reports.layout import TITLES

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
POINTS, FIT, TEXT, RULES = "#1f5f8b", "#a8480f", "#1c1c1c", "#d9d9d2"
FAINT = "#5c5c57"
BAND = "#f1e3d6"
# From light to dark in one hue, so that greyscale print keeps the order.
SHADES = ("#f4f8fb", "#b5d0e3", "#6ba3c6", "#1f5f8b", "#123a57")
# Text on a shade is black up to this share of the range and white above it: the contrast is at least 4.5.
INK, DARK_FROM = "#000000", 0.645

# A single font in a single weight, since a PDF with several lists them in an order that varies between runs.
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


PADDING = 12
TITLE_SIZE, SUBTITLE_SIZE = 17, 12
# Width of letters relative to the font size: on average in this font, and at most in a browser's fallback font.
LETTER_WIDTH, WIDEST_LETTERS = 0.5, 0.6


def frame_figure(**parts: Any) -> dict[str, Any]:
    """Return a complete specification from its parts."""
    return {"$schema": SCHEMA, "background": "white", "padding": PADDING, "config": dict(CONFIG), **parts}


def title_measure(measure: ResultMeasure) -> str:
    """Return a measure as an axis title.

    >>> title_measure(ResultMeasure("group", "pearson")), title_measure(ResultMeasure("pair", "accuracy", "HC"))
    ('Pearson r, group level', 'accuracy, HC')
    """
    parts = [TITLES[measure.coefficient]]
    parts += [f"{measure.level} level"] if measure.level not in ("item", "pair") else []
    return ", ".join([*parts, *([measure.category] if measure.category else [])])


def head_panel(title: str, **more: Any) -> dict[str, Any]:
    """Return the left-aligned title of one panel of a figure."""
    return {"text": title, "anchor": "start", "frame": "group", "fontSize": 13, "fontWeight": "normal", **more}


def scale_series(
    series: Sequence[str], values: Sequence[Any], *, legend: Mapping[str, Any] | None, field: str = "series"
) -> dict[str, Any]:
    """Return the encoding of a field by one of the values for each series, which are used again if there are too few.

    >>> scale_series(["a", "b", "c"], ["red", "blue"], legend=None)["scale"]
    {'domain': ['a', 'b', 'c'], 'range': ['red', 'blue', 'red']}
    """
    chosen = [values[place % len(values)] for place in range(len(series))]
    return {
        "field": field,
        "type": "nominal",
        "scale": {"domain": list(series), "range": chosen},
        "legend": None if legend is None else dict(legend),
    }


def head_figure(title: str, lines: Sequence[str] = ()) -> dict[str, Any]:
    """Return a left-aligned title with lines below it; if both are empty, a title that takes no space."""
    return {
        "text": title,
        "subtitle": list(lines),
        "anchor": "start",
        "frame": "group",
        "offset": 14,
        "fontSize": TITLE_SIZE,
        "fontWeight": "normal",
        "color": TEXT,
        "subtitleFontSize": SUBTITLE_SIZE,
        "subtitleColor": FAINT,
        "subtitlePadding": 5,
    }


def make_room(title: str, lines: Sequence[str] = (), *, width: int) -> dict[str, int]:
    """Return the padding that keeps a title and the lines below it from being clipped in a narrow figure.

    They begin at the left edge of the drawing of `width` pixels. The figure is made wide enough for its font, with a
    margin for browsers that draw the SVG with a wider fallback font.

    >>> make_room("Title", ["A line"], width=400)
    {'left': 12, 'top': 12, 'bottom': 12, 'right': 12}
    >>> make_room("Title", ["A line of 20 letters"], width=100)["right"]
    36
    """
    longest = max([len(title) * TITLE_SIZE, *(len(line) * SUBTITLE_SIZE for line in lines)])
    beyond = longest * WIDEST_LETTERS - max(width, longest * LETTER_WIDTH)
    return {"left": PADDING, "top": PADDING, "bottom": PADDING, "right": PADDING + max(0, round(beyond))}
