"""The curve of a training: one line of JSON per validation, a figure, and a page that reloads itself."""

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from metrics_plugins.metrics.critics.artifacts import write_atomically

CURVE: Final = "curve.jsonl"
FIGURE: Final = "curve.svg"
PAGE: Final = "index.html"

Point = Mapping[str, Any]

_PANELS: Final = (
    ("Loss (nats a word)", {"loss": "validation", "train_loss": "training"}),
    ("CIDEr-D", {"cider": "greedy", "sample_cider": "sampled", "reward": "training reward"}),
    ("Share", {"truth": "true", "grammar": "grammatical", "bleu_4": "BLEU-4", "sample_truth": "true, sampled"}),
    ("Diversity", {"self_cider": "Self-CIDEr", "diversity": "diversity ratio"}),
)
_WIDTH: Final = 420
_HEIGHT: Final = 160
_SECONDS: Final = 10


def write_curve(folder: Path, points: Sequence[Point]) -> None:
    """Write `curve.jsonl`."""
    lines = "".join(json.dumps(point, allow_nan=False) + "\n" for point in points)
    write_atomically(folder / CURVE, lines.encode("ascii"))


def write_page(folder: Path, points: Sequence[Point], *, title: str, is_complete: bool) -> None:
    """Write the figure, and the page, which reloads itself every 10 seconds until training is complete.

    The page has no script and needs nothing but the figure beside it.
    """
    from correlation.figures import render

    write_atomically(folder / FIGURE, render(draw_curve(points, title=title), "svg"))
    write_atomically(folder / PAGE, _write_html(points, title=title, is_complete=is_complete).encode())


def draw_curve(points: Sequence[Point], *, title: str) -> dict[str, Any]:
    """Return the specification of the figure: a panel for each kind of measure that the points have."""
    from correlation.figures.style import frame_figure, head_figure

    panels = []
    for panel_title, names in _PANELS:
        rows = [
            {"step": point["total_step"], "series": label, "value": point[name]}
            for point in points
            for name, label in names.items()
            if point.get(name) is not None
        ]
        if rows:
            panels.append(_draw_panel(rows, title=panel_title))
    return frame_figure(
        title=head_figure(title), vconcat=panels or [_draw_panel([], title="no validation yet")], spacing=24
    )


def _draw_panel(rows: list[dict[str, Any]], *, title: str) -> dict[str, Any]:
    series = {"field": "series", "type": "nominal", "title": None, "sort": None}
    return {
        "width": _WIDTH,
        "height": _HEIGHT,
        "data": {"values": rows},
        "mark": {"type": "line", "point": {"filled": True, "size": 30}},
        "encoding": {
            "x": {"field": "step", "type": "quantitative", "title": "step"},
            "y": {"field": "value", "type": "quantitative", "title": title, "scale": {"zero": False}},
            "color": series,
            "strokeDash": series,
        },
        "resolve": {"scale": {"color": "independent"}},
    }


def _write_html(points: Sequence[Point], *, title: str, is_complete: bool) -> str:
    names = list(dict.fromkeys(name for point in points for name, value in point.items() if value is not None))
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_print(point.get(name)))}</td>" for name in names) + "</tr>"
        for point in reversed(points)
    )
    reload = "" if is_complete else f'<meta http-equiv="refresh" content="{_SECONDS}">'
    state = "Training is complete." if is_complete else f"This page reloads itself every {_SECONDS} seconds."
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{reload}<title>{html.escape(title)}</title>'
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
        "td,th{padding:.2em .6em;text-align:right;border-bottom:1px solid #d9d9d2}</style></head>"
        f"<body><h1>{html.escape(title)}</h1><p>{state}</p>"
        f'<p><img src="{FIGURE}" alt="The measures of the table below over the steps of training"></p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></body></html>\n"
    )


def _print(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
