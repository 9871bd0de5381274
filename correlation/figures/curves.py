"""Curves of several series in panels, such as the measures of systems during training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from correlation.errors import CorrelationInputError
from correlation.figures.robustness import COLOURS, DASHES, SHAPES
from correlation.figures.style import RULES, frame_figure, head_figure, head_panel, scale_series

WIDTH, HEIGHT = 250, 170


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve; a value that is not finite leaves a gap."""

    panel: str
    series: str
    x: float
    y: float


def draw_curves(
    points: Sequence[CurvePoint],
    *,
    x_title: str,
    title: str = "",
    lines: Sequence[str] = (),
    bounds: Mapping[str, tuple[float, float]] | None = None,
    n_columns: int = 3,
) -> dict[str, Any]:
    """Return the specification of a figure with one panel for each `panel`, in the order of the points.

    Parameters
    ----------
    points
        At least one.
    x_title
        The title of all horizontal axes.
    title, lines
        Text above the panels.
    bounds
        Name of a panel -> lowest and highest value of its vertical axis; others fit their values.
    n_columns
        The number of panels side by side.

    Raises
    ------
    CorrelationInputError
        There is no point.
    """
    if not points:
        raise CorrelationInputError("a figure of curves needs at least one point, got none")
    series = list(dict.fromkeys(each.series for each in points))
    panels = list(dict.fromkeys(each.panel for each in points))
    drawn = [
        _draw_panel(
            name,
            [each for each in points if each.panel == name],
            series=series,
            x_title=x_title,
            bounds=(bounds or {}).get(name),
        )
        for name in panels
    ]
    rows = [drawn[start : start + n_columns] for start in range(0, len(drawn), n_columns)]
    return frame_figure(
        title=head_figure(title, lines),
        vconcat=[{"hconcat": row, "spacing": 30} for row in rows],
        spacing=26,
        resolve={"scale": {"color": "shared", "shape": "shared", "strokeDash": "shared"}},
    )


def _draw_panel(
    name: str,
    points: Sequence[CurvePoint],
    *,
    series: Sequence[str],
    x_title: str,
    bounds: tuple[float, float] | None,
) -> dict[str, Any]:
    values = [{"series": each.series, "x": each.x, "y": each.y if isfinite(each.y) else None} for each in points]
    scale: dict[str, Any] = {"zero": False, "padding": 4} if bounds is None else {"domain": list(bounds), "nice": False}
    return {
        "title": head_panel(name),
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": values},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": x_title, "axis": {"tickCount": 4, "grid": False}},
            "y": {
                "field": "y",
                "type": "quantitative",
                "title": None,
                "scale": scale,
                "axis": {"tickCount": 5, "gridColor": RULES},
            },
            "color": scale_series(series, COLOURS, legend={"title": None}),
            "shape": scale_series(series, SHAPES, legend={"title": None}),
        },
        "layer": [
            {
                "mark": {"type": "line", "strokeWidth": 2, "invalid": "break-paths-filter-domains"},
                "encoding": {"strokeDash": scale_series(series, DASHES, legend=None)},
            },
            {"mark": {"type": "point", "filled": True, "size": 34, "opacity": 1, "invalid": "filter"}},
        ],
    }
