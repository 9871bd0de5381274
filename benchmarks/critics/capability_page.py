"""The section on `critic-lstm` of docs/critics.md, from the results of `benchmarks.critics.capability`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.pages import ROOT, replace_between
from benchmarks.critics.tables import PAGE, format_rows

BEGIN: Final = "<!-- python -m benchmarks.critics.capability writes from here ... -->"
END: Final = "<!-- ... to here -->"
KINDS: Final = {"human": "human", "machine": "machine", "rc": "RC", "wp": "WP", "rw": "RW"}
HEADS: Final = {"linear": "concatenation, linear", "mlp": "concatenation, ReLU", "bilinear": "bilinear pooling"}


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section between the markers of the page."""
    replace_between(page, BEGIN, END, content=f"\n{format_results(results)}\n")


def format_results(results: Mapping[str, Any]) -> str:
    """Return the tables of the parts with results."""
    formats = {"capability": _format_capability, "robustness": _format_robustness, "judged": _format_judged}
    return "\n".join(formats[part](results[part]) for part in formats if part in results)


def _format_capability(found: Mapping[str, Any]) -> str:
    rows = [
        [
            row["beside"],
            HEADS[row["head"]],
            row["learned"],
            *(f"{100 * row['shares'][kind]:.1f}" for kind in KINDS),
            f"{row['seconds']:.0f}",
        ]
        for row in found["rows"]
    ]
    header = ["context", "head", "learned from", *KINDS.values(), "s"]
    return (
        "### Capability: what is told right, in %\n\n"
        f"COCO val2014, {found['sizes']['n_testing']:,} images new to the critic; a caption counts as human\n"
        "above 0.5. Human and machine (Vinyals et al.) captions, and human ones ruined: another image's (RC), words\n"
        f"out of order (WP), random words (RW). Sizes: {_format_sizes(found['sizes'])}.\n\n"
        f"{format_rows([header, *rows])}\n"
        "![The same shares as points: critics in rows, kinds of captions in columns](figures/critic-capability.svg)\n"
    )


def _format_robustness(found: Mapping[str, Any]) -> str:
    rows = [
        [f"`{name}`", *(f"{areas[kind]['auc']:.3f}" for kind in ("rc", "wp", "rw"))]
        for name, areas in found["areas"].items()
    ]
    shares = ", ".join(f"{KINDS[kind]} {100 * share:.1f} %" for kind, share in found["shares"].items())
    return (
        "### Robustness: area under the curve\n\n"
        f"{found['sizes']['n_images']:,} of the same images, one human caption ruined by degrees against the others, "
        "the\nmean score over that of untouched captions; lower is more robust. The critic learned for "
        f"{found['seconds'] / 60:.0f} minutes: {_format_sizes(found['sizes'])}. It tells right: {shares}.\n\n"
        f"{format_rows([['metric', 'RC', 'WP', 'RW'], *rows])}\n"
        "![Curves of six of these metrics, a panel for each way to ruin captions](figures/critic-robustness.svg)\n"
    )


def _format_judged(found: Mapping[str, Any]) -> str:
    names = list(next(iter(found["agreements"].values())))
    rows = [
        [f"`{metric}`", *(f"{values[name]:.2f}" for name in names)] for metric, values in found["agreements"].items()
    ]
    return (
        "### Agreement with people: tau-c of Flickr8k-Expert, tau-b of Flickr8k-CF, accuracy of PASCAL-50S, x100\n\n"
        "Protocols `flickr8k-expert@1`, `flickr8k-cf@1` and `pascal-50s@1`. The critic learned for "
        f"{found['seconds'] / 60:.0f} minutes from\ncaptions of Flickr8k alone, none of a test image, and so of "
        f"none of the judged ones:\n{_format_sizes(found['sizes'])}.\n\n"
        f"{format_rows([['metric', *names], *rows])}\n"
        "![Loss and accuracy of this critic, pass by pass](figures/critic-learning.svg)\n"
    )


def _format_sizes(sizes: Mapping[str, Any]) -> str:
    names = {"n_learning": "images to learn from", "n_testing": "images to test on", "n_images": "images scored"}
    return ", ".join(f"{names.get(name, name)} {value}" for name, value in sizes.items())


if __name__ == "__main__":
    write_section(json.loads((ROOT / "benchmarks" / "critics" / "capability.json").read_text()))
