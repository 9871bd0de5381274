"""The curve of a training: one line of JSON per validation, a figure, and a page that reloads itself."""

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from execution.whole_files import write_whole

CURVE: Final = "curve.jsonl"
FIGURE: Final = "curve.svg"
PAGE: Final = "index.html"

Point = Mapping[str, Any]

_CURVES: Final[Mapping[str, tuple[str, str]]] = {
    "train_loss": ("loss (nats a word)", "training captions"),
    "loss": ("loss (nats a word)", "validation captions"),
    "reward": ("reward in training", "sampled"),
    "cider": ("CIDEr-D", "greedy"),
    "sample_cider": ("CIDEr-D", "sampled"),
    "bleu_4": ("BLEU-4", "greedy"),
    "truth": ("share of true captions", "greedy"),
    "sample_truth": ("share of true captions", "sampled"),
    "grammar": ("share of grammatical captions", "greedy"),
    "diversity": ("diversity ratio", "greedy"),
    "self_cider": ("Self-CIDEr", "sampled"),
}
"""Name of a measure -> panel, and the captions that it is of."""

_SECONDS: Final = 10


def write_curve(folder: Path, points: Sequence[Point], *, note: str = "") -> None:
    """Write `curve.jsonl`; each line has the note of the training data, if they have one."""
    remark = {"note": note} if note else {}
    lines = "".join(json.dumps({**point, **remark}, allow_nan=False) + "\n" for point in points)
    write_whole(folder / CURVE, lines.encode("ascii"))


def write_page(folder: Path, points: Sequence[Point], *, title: str, is_complete: bool, note: str = "") -> None:
    """Write the figure, and the page, which reloads itself every 10 seconds until training is complete.

    The page has no script and needs nothing but the figure beside it.

    Args:
        folder: Of the training.
        points: At least one, with a measure.
        title: The title of figure and page.
        is_complete: Whether no more points follow.
        note: The note of the training data, printed below both titles.
    """
    from correlation.figures import render

    write_whole(folder / FIGURE, render(draw_curve(points, title=title, note=note), "svg"))
    write_whole(folder / PAGE, _write_html(points, title=title, note=note, is_complete=is_complete).encode())


def draw_curve(points: Sequence[Point], *, title: str, note: str = "") -> dict[str, Any]:
    """Return the specification of the figure: a panel for each kind of measure that the points have."""
    from correlation.figures.curves import CurvePoint, draw_curves

    drawn = [
        CurvePoint(panel, series, point["total_step"], point[name])
        for name, (panel, series) in _CURVES.items()
        for point in points
        if point.get(name) is not None
    ]
    return draw_curves(drawn, x_title="step", title=title, lines=[note] if note else [])


def _write_html(points: Sequence[Point], *, title: str, note: str, is_complete: bool) -> str:
    names = list(dict.fromkeys(name for point in points for name, value in point.items() if value is not None))
    head = "".join(f"<th>{html.escape(name.replace('_', ' '))}</th>" for name in names)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_print(point.get(name)))}</td>" for name in names) + "</tr>"
        for point in reversed(points)
    )
    reload = "" if is_complete else f'<meta http-equiv="refresh" content="{_SECONDS}">'
    remark = f"<p>{html.escape(note)}</p>" if note else ""
    state = "Training is complete." if is_complete else f"This page reloads itself every {_SECONDS} seconds."
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">{reload}<title>{html.escape(title)}</title>'
        "<style>body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
        "td,th{padding:.2em .6em;text-align:right;border-bottom:1px solid #d9d9d2}</style></head>"
        f"<body><h1>{html.escape(title)}</h1>{remark}<p>{state}</p>"
        f'<p><img src="{FIGURE}" alt="The measures of the table below over the steps of training"></p>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></body></html>\n"
    )


def _print(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
