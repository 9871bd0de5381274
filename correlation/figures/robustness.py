"""Robustness curves: how metric scores fall as human captions are increasingly distorted."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from correlation.errors import CorrelationInputError
from correlation.figures.style import FAINT, RULES, TEXT, frame_figure, head_figure, head_panel, scale_series
from correlation.reports.layout import print_number

WIDTH, HEIGHT = 300, 260
KEY_HEIGHT, KEY_TOP = 20, 14
# Dark enough for lines on white; lines also differ in shape and dash.
COLOURS = ("#1f5f8b", "#a8480f", "#2e7d4f", "#6b3f8f", "#8a6a00", "#1c1c1c", "#b02a6b", "#5c5c57")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
DASHES = ([1, 0], [6, 3], [2, 2])


def draw_robustness(
    strengths: Sequence[float],
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    areas: Mapping[str, Mapping[str, float]],
    title: str = "",
    lines: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the specification of robustness curves after Figure 6 of Cui et al. (2018), one panel per distortion.

    The legend below a panel lists its metrics with the areas under their curves, the most robust first. Points that
    are not finite are left out, and a metric without an area is labelled "undefined".

    Parameters
    ----------
    strengths
        Shape (n_strengths,), ascending.
    panels
        Name of a distortion -> metric -> scores of shape (n_strengths,), 1 for undistorted captions.
    areas
        Name of a distortion -> metric -> area under its curve; lower is more robust if higher scores are better.
    title, lines
        Text above the panels.

    Raises
    ------
    CorrelationInputError
        There is no curve, or a curve does not have one score per strength.
    """
    metrics = list(dict.fromkeys(metric for curves in panels.values() for metric in curves))
    if not metrics:
        raise CorrelationInputError("a figure of robustness needs at least one curve, got none")
    for name, curves in panels.items():
        for metric, scores in curves.items():
            if len(scores) != len(strengths):
                raise CorrelationInputError(
                    f"the curve of {metric} in {name!r} must have {len(strengths)} scores, got {len(scores)}"
                )
    highest = max(
        (score for curves in panels.values() for scores in curves.values() for score in scores if isfinite(score)),
        default=1.0,
    )
    return frame_figure(
        title=head_figure(title, lines),
        hconcat=[
            _draw_panel(name, strengths, curves, areas[name], metrics=metrics, top=max(highest, 1.0))
            for name, curves in panels.items()
        ],
        spacing=34,
        resolve={"scale": {"color": "shared", "shape": "shared", "strokeDash": "shared"}},
    )


def _draw_panel(
    name: str,
    strengths: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    areas: Mapping[str, float],
    *,
    metrics: Sequence[str],
    top: float,
) -> dict[str, Any]:
    points = [
        {"metric": metric, "strength": strength, "score": score if isfinite(score) else None}
        for metric, scores in curves.items()
        for strength, score in zip(strengths, scores, strict=True)
    ]
    key_room = KEY_TOP + KEY_HEIGHT * len(metrics)
    return {
        "title": head_panel(name, color=TEXT),
        "spacing": 10,
        "vconcat": [
            {
                "width": WIDTH,
                "height": HEIGHT,
                "data": {"values": points},
                "encoding": {"x": _make_strength_axis(), "y": _make_score_axis(top), **_tell_metrics(metrics)},
                "layer": [
                    {
                        "mark": {"type": "line", "strokeWidth": 2, "invalid": "break-paths-filter-domains"},
                        "encoding": {"strokeDash": scale_series(metrics, DASHES, field="metric", legend=None)},
                    },
                    {"mark": {"type": "point", "filled": True, "size": 42, "opacity": 1, "invalid": "filter"}},
                ],
            },
            _draw_key(curves, areas, metrics=metrics, height=key_room),
        ],
    }


def _make_strength_axis() -> dict[str, Any]:
    return {
        "field": "strength",
        "type": "quantitative",
        "title": "strength of the distortion",
        "scale": {"domain": [0, 1], "nice": False, "padding": 6},
    }


def _make_score_axis(top: float) -> dict[str, Any]:
    return {
        "field": "score",
        "type": "quantitative",
        "title": "score over that of untouched captions",
        "scale": {"domain": [0, top], "nice": False, "padding": 6},
        "axis": {"gridColor": RULES},
    }


def _tell_metrics(metrics: Sequence[str]) -> dict[str, Any]:
    return {
        "color": scale_series(metrics, COLOURS, field="metric", legend=None),
        "shape": scale_series(metrics, SHAPES, field="metric", legend=None),
    }


def _draw_key(
    curves: Mapping[str, Sequence[float]], areas: Mapping[str, float], *, metrics: Sequence[str], height: int
) -> dict[str, Any]:
    """The legend of a panel: metrics with their areas in ascending order, undefined ones last."""
    ordered = sorted(curves, key=lambda metric: (not isfinite(areas[metric]), areas[metric]))
    values = [
        {
            "metric": metric,
            "place": KEY_TOP + KEY_HEIGHT * place,
            "printed": print_number(areas[metric]) if isfinite(areas[metric]) else "undefined",
        }
        for place, metric in enumerate(ordered, start=1)
    ]
    y = {"field": "place", "type": "quantitative", "axis": None, "scale": {"domain": [height + KEY_HEIGHT, 0]}}
    text = {"type": "text", "fontSize": 12, "color": TEXT, "baseline": "middle"}
    head = {
        "data": {"values": [{"place": KEY_TOP, "name": "area under the curve"}]},
        "mark": text | {"color": FAINT, "align": "right"},
        "encoding": {"x": {"value": WIDTH}, "y": y, "text": {"field": "name"}},
    }
    return {
        "width": WIDTH,
        "height": height + KEY_HEIGHT,
        "data": {"values": values},
        "layer": [
            head,
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
                "encoding": {"x": {"value": 12}, "y": y, **_tell_metrics(metrics)},
            },
            {
                "mark": text | {"align": "left"},
                "encoding": {"x": {"value": 26}, "y": y, "text": {"field": "metric"}},
            },
            {
                "mark": text | {"align": "right"},
                "encoding": {"x": {"value": WIDTH}, "y": y, "text": {"field": "printed"}},
            },
        ],
    }
