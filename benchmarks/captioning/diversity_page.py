"""The page on diverse captions, docs/captioning-diversity.md: Table 2 and Figure 5 of Wang et al. (2020), in shape."""

from collections.abc import Mapping
from typing import Any, Final

from scipy.stats import kendalltau

from benchmarks.captioning.pages import DOCS, FIGURES, replace_section
from correlation.figures.labelled import LabelledPoint, draw_labelled
from correlation.figures.rendering import render
from metrics_plugins.probes.tables import format_table

PAGE: Final = DOCS / "captioning-diversity.md"
TITLES: Final = {"xe": "XE"}
PUBLISHED: Final[Mapping[str, tuple[float, float]]] = {
    "xe": (0.509, 0.904),
    "SCST": (1.161, 0.223),
    "XE + 10 CIDEr": (0.984, 0.611),
    "CIDEr + 1 JPC (5)": (1.190, 0.331),
    "CIDEr + .02 EPC (5)": (1.134, 0.449),
    "CIDEr + .04 mCIDEr (5)": (1.149, 0.445),
    "UDA-5": (1.034, 0.665),
}
"""Average CIDEr and Self-CIDEr of Table 2 of the paper."""


def write_page(report: Mapping[str, Any]) -> None:
    """Write the figure and the sections of the page."""
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / "captioning-diversity.svg").write_bytes(render(draw_space(report), "svg"))
    replace_section(PAGE, name="methods", content=format_methods(report))
    replace_section(PAGE, name="best", content=format_best(report))
    replace_section(PAGE, name="order", content=format_order(report))


def draw_space(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figure of accuracy against diversity: sampled sets, sets selected by DPP, and human captions."""
    points = [
        LabelledPoint(label=_title(name), series=series, x=measured[kind]["self_cider"], y=measured[kind]["accuracy"])
        for name, measured in report["results"].items()
        for kind, series in (("sampled", "10 samples"), ("dpp", "10 of 100 by DPP-CIDEr"))
    ]
    people = report["people"]
    points.append(LabelledPoint(label="people", series="people", x=people["self_cider"], y=people["accuracy"]))
    return draw_labelled(
        points,
        x_title="diversity (Self-CIDEr)",
        y_title="accuracy (CIDEr-D)",
        title="Accuracy and diversity of caption sets",
        lines=["COCO captions, text-conditioned: captioners read the sentence vector of one human caption."],
    )


def format_methods(report: Mapping[str, Any]) -> str:
    """Return the sizes and the table of accuracy and diversity, beside the paper's."""
    rows = []
    for name, measured in report["results"].items():
        own, selected = measured["sampled"], measured["dpp"]
        published = PUBLISHED.get(name)
        rows.append(
            [
                _title(name),
                f"{own['accuracy']:.3f}",
                f"{own['self_cider']:.3f}",
                f"{selected['accuracy']:.3f}",
                f"{selected['self_cider']:.3f}",
                *([f"{value:.3f}" for value in published] if published else ["-", "-"]),
                f"{measured['training_seconds'] / 60:.1f}",
            ]
        )
    people = report["people"]
    rows.append(["people", f"{people['accuracy']:.3f}", f"{people['self_cider']:.3f}", *["-"] * 2, "-", ".895", "-"])
    sizes = report["sizes"]
    header = ["method", "CIDEr", "Self-CIDEr", "CIDEr, DPP", "Self-CIDEr, DPP", "paper: CIDEr", "paper: Self-CIDEr"]
    return "\n".join(
        [
            f"{sizes['n_train']:,} training images, {sizes['n_test']:,} test images, text-conditioned; "
            f"{sizes['steps']:,} steps of cross entropy, then {sizes['objective_steps']:,} of an objective with "
            f"{sizes['objective_batch']} images each; seed {report['seed']}; {report['minutes']:.0f} minutes of one "
            "core for all.",
            "",
            format_table([*header, "minutes"], rows),
            "![Accuracy and diversity of caption sets](figures/captioning-diversity.svg)",
        ]
    )


def format_best(report: Mapping[str, Any]) -> str:
    """Return the table of the best and the average of 20 captions by metric, times 100."""
    results = report["results"]
    metrics = [each["metric"] for each in next(iter(results.values()))["best"]]
    rows = [
        [
            _title(name),
            *(f"{100 * each['best']:.1f} / {100 * each['average']:.1f}" for each in measured["best"]),
        ]
        for name, measured in results.items()
    ]
    return format_table(["method", *metrics], rows)


def format_order(report: Mapping[str, Any]) -> str:
    """Return how the order of the methods agrees with the paper's, by Kendall's tau-b."""
    names = [name for name in PUBLISHED if name in report["results"]]
    lines = []
    for place, (measure, title) in enumerate((("accuracy", "average CIDEr"), ("self_cider", "Self-CIDEr"))):
        own = [report["results"][name]["sampled"][measure] for name in names]
        tau = kendalltau(own, [PUBLISHED[name][place] for name in names]).statistic
        order = [_title(name) for _, name in sorted(zip(own, names, strict=True), reverse=True)]
        lines.append(f"- {title}: tau-b {tau:.2f} over {len(names)} methods; from high to low: {', '.join(order)}.")
    return "\n".join(lines)


def _title(name: str) -> str:
    return TITLES.get(name, name)
