"""The figures on `critic-lstm` in docs/figures, from the results of `benchmarks.critics.capability`.

They follow Figures 5 and 9 (capability) and 6 (robustness) of Cui et al. (2018), and show a critic's training curve.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.pages import FIGURES as FOLDER
from benchmarks.captioning.pages import ROOT
from benchmarks.critics.capability_page import HEADS, KINDS
from correlation.figures.rendering import render
from correlation.figures.robustness import draw_robustness
from correlation.figures.style import FIT, POINTS, frame_figure, head_figure

LEARNED: Final = ("augmented", "machine only")
DISTORTIONS: Final = {"rc": "another image's caption", "wp": "words out of order", "rw": "random words"}
# More curves could not be distinguished in a panel.
COMPARED: Final = ("critic-lstm", "bleu-1", "bleu-4", "rouge-l", "cider-d", "meteor")


def write_figures(results: Mapping[str, Any], *, folder: Path = FOLDER) -> None:
    """Write the figure of each part with results."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, (name, draw) in FIGURES.items():
        if part in results:
            (folder / f"{name}.svg").write_bytes(render(draw(results[part]), "svg"))


def draw_capability(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure of accuracies by context, head and training captions, without critics of other sizes."""
    values = [
        {
            "critic": f"{row['beside']}, {HEADS[row['head']]}",
            "learned": row["learned"],
            "kind": KINDS[kind],
            "share": 100 * share,
        }
        for row in found["rows"]
        if row["learned"] in LEARNED
        for kind, share in row["shares"].items()
    ]
    colour = {"domain": list(LEARNED), "range": [POINTS, FIT]}
    return frame_figure(
        title=head_figure(
            "Captions that a critic tells right, in %",
            ["RC: another image's caption; WP: words out of order; RW: random words. Context, then head."],
        ),
        data={"values": values},
        facet={
            "column": {
                "field": "kind",
                "sort": list(KINDS.values()),
                "title": None,
                "header": {"labelFontSize": 14, "labelAnchor": "start"},
            }
        },
        spec={
            "width": 118,
            "height": {"step": 30},
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {
                "y": {"field": "critic", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 260}},
                "x": {
                    "field": "share",
                    "type": "quantitative",
                    "title": "right, %",
                    "scale": {"domain": [0, 100]},
                    "axis": {"tickCount": 3},
                },
                "color": {"field": "learned", "type": "nominal", "scale": colour, "title": "learned from"},
                "shape": {
                    "field": "learned",
                    "type": "nominal",
                    "scale": {"domain": list(LEARNED), "range": ["circle", "diamond"]},
                    "title": "learned from",
                },
            },
        },
    )


def draw_curves(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure of the scores of distorted captions under the critic and other metrics."""
    areas = {name: found["areas"][name] for name in COMPARED}
    steps = len(areas[COMPARED[0]]["rc"]["curve"])
    return draw_robustness(
        [step / (steps - 1) for step in range(steps)],
        {title: {name: areas[name][kind]["curve"] for name in areas} for kind, title in DISTORTIONS.items()},
        areas={title: {name: areas[name][kind]["auc"] for name in areas} for kind, title in DISTORTIONS.items()},
        title="Robustness: scores of ruined captions",
        lines=["The key has the area under each curve; lower is more robust."],
    )


def draw_learning(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure of training loss and accuracy by epoch."""
    panels = (("loss", "loss, nats", False), ("accuracy", "told right of what is learned from", True))
    return frame_figure(
        title=head_figure("Learning curve", ["The critic of Flickr8k's training and development captions."]),
        data={"values": list(found["curve"])},
        hconcat=[
            {
                "width": 300,
                "height": 220,
                "mark": {"type": "line", "point": {"filled": True, "size": 40}, "color": POINTS},
                "encoding": {
                    "x": {"field": "epoch", "type": "quantitative", "title": "pass", "scale": {"zero": False}},
                    "y": {
                        "field": field,
                        "type": "quantitative",
                        "title": title,
                        "scale": {"zero": False},
                        **({"axis": {"format": "%"}} if is_share else {}),
                    },
                },
            }
            for field, title, is_share in panels
        ],
    )


FIGURES: Final[Mapping[str, tuple[str, Callable[[Mapping[str, Any]], dict[str, Any]]]]] = {
    "capability": ("critic-capability", draw_capability),
    "robustness": ("critic-robustness", draw_curves),
    "judged": ("critic-learning", draw_learning),
}


if __name__ == "__main__":
    write_figures(json.loads((ROOT / "benchmarks" / "critics" / "capability.json").read_text()))
