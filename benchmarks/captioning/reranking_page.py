"""The section of docs/captioning-informative.md and its figures, from the results of `reranking`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.captioning.pages import DOCS, FIGURES, replace_section
from captioning.probes.distractors import Distractor, DistractorReport, KnownWordsResult
from captioning.probes.distractors_report import print_distractors
from captioning.probes.object_templates import TemplateReport, TemplateRow
from captioning.probes.object_templates_report import draw_templates, print_templates
from captioning.selection.reranking_table import GEOMETRIC_MEAN
from correlation.figures.curves import CurvePoint, draw_curves
from correlation.figures.rendering import render
from metrics_plugins.probes.tables import format_table

PAGE: Final = DOCS / "captioning-informative.md"
SECTION: Final = "python -m benchmarks.captioning.reranking"
TITLES: Final = {
    "bleu-4": "BLEU-4",
    "meteor": "METEOR",
    "cider-d": "CIDEr",
    "chair-s": "CHAIRs (lower is better)",
    "spice": "SPICE",
    "spice-u": "SPICE-U",
    GEOMETRIC_MEAN: "GeoMean",
}
# Wang et al. (2020), table 3, the captioner of Anderson et al.
PUBLISHED: Final = {
    "beam": (23.03, 28.98, 108.13, 8.68, 20.62, 23.70, 12.63),
    "+ unigram": (22.88, 29.06, 107.04, 8.10, 20.82, 25.05, 12.89),
    "+ LSTM": (22.79, 28.48, 107.59, 8.20, 20.52, 24.46, 12.74),
    "+ interpolated": (22.77, 28.84, 106.42, 7.80, 20.72, 25.27, 12.94),
}
SHOWN: Final = (GEOMETRIC_MEAN, "spice-u", "chair-s", "cider-d")
SHARES: Final = {0.0: "LSTM (0)", 0.5: "0.5", 0.8: "0.8", 1.0: "unigram (1)"}


def write_section(results: Mapping[str, Any], *, page: Path = PAGE) -> None:
    """Replace the section of the page."""
    replace_section(page, name=SECTION, content=format_results(results))


def write_figures(results: Mapping[str, Any], *, folder: Path = FIGURES) -> None:
    """Write the figures of the grid and of the object templates as SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "captioning-reranking.svg").write_bytes(_draw_grid(results))
    (folder / "captioning-object-templates.svg").write_bytes(draw_templates(_read_templates(results)))


def format_results(results: Mapping[str, Any]) -> str:
    """Return the section as Markdown."""
    sizes, minutes = results["sizes"], results["minutes"]
    return "\n".join(
        [
            f"Text-conditioned: `{results['captioner']}`, trained by cross entropy on {sizes['train']:,} images with "
            f"four captions each, validated on {sizes['validation']:,} and tested on {sizes['test']:,}; "
            f"{_print_settings(results['settings'])}. Seed {results['seed']}, {results['device']}, "
            f"{sum(minutes.values()):.0f} minutes "
            f"({', '.join(f'{name} {value:.1f}' for name, value in minutes.items())}).\n",
            "### Re-ranking\n",
            _format_table(results),
            _format_differences(results),
            "![GeoMean, SPICE-U, CHAIRs and CIDEr on the validation images, by lambda, a curve for each alpha]"
            "(figures/captioning-reranking.svg)\n",
            _format_examples(results),
            "### Distractors\n",
            print_distractors(_read_distractors(results)),
            "### Object templates\n",
            print_templates(_read_templates(results)),
            "![SPICE and SPICE-U of templates and captioners, by the mean number of words]"
            "(figures/captioning-object-templates.svg)\n",
        ]
    )


def _format_table(results: Mapping[str, Any]) -> str:
    header = ["captions", "lambda", "alpha", *TITLES.values(), "changed"]
    rows = []
    for row in results["rows"]:
        weights = results["weights"][row["name"]]
        is_beam = row["name"] == "beam"
        rows.append(
            [
                row["name"],
                "" if is_beam else f"{weights['penalty']:.1f}",
                f"{weights['unigram_share']:.1f}" if row["name"] == "+ interpolated" else "",
                *(f"{row['values'][name]:.2f}" for name in TITLES),
                "" if is_beam else f"{100 * row['share_changed']:.0f} %",
            ]
        )
    published = [
        [f"{name}, published", "", "", *(f"{value:.2f}" for value in values), ""] for name, values in PUBLISHED.items()
    ]
    return (
        f"{format_table(header, rows + published)}\n"
        "Published: table 3 for the captioner of Anderson et al. (2018), which sees images. Its numbers are there for\n"
        "the direction of the differences, not for comparison.\n"
    )


def _format_differences(results: Mapping[str, Any]) -> str:
    beam, *others = results["rows"]
    rows = [[row["name"], *(_print_difference(row, beam, name) for name in TITLES)] for row in others]
    return (
        "Differences from the beam's first caption, with 95 % intervals (paired bootstrap over images):\n\n"
        f"{format_table(['captions', *TITLES.values()], rows)}"
    )


def _print_difference(row: Mapping[str, Any], beam: Mapping[str, Any], name: str) -> str:
    low, high = row["intervals"][name]
    return f"{row['values'][name] - beam['values'][name]:+.2f} [{low:+.2f}, {high:+.2f}]"


def _format_examples(results: Mapping[str, Any]) -> str:
    if not results["examples"]:
        return "No caption changes.\n"
    rows = [[each["behind"], each["people"], each["beam"], each["re-ranked"]] for each in results["examples"]]
    return (
        "The first test images whose caption changes:\n\n"
        f"{format_table(['caption behind the vector', 'a reference', 'beam', '+ interpolated'], rows, n_names=4)}"
    )


def _draw_grid(results: Mapping[str, Any]) -> bytes:
    points = [
        CurvePoint(
            panel=TITLES[name],
            series=f"alpha {SHARES[cell['unigram_share']]}",
            x=cell["penalty"],
            y=cell["geometric_mean"] if name == GEOMETRIC_MEAN else cell["values"][name],
        )
        for name in SHOWN
        for share in SHARES
        for cell in results["grid"]
        if cell["unigram_share"] == share
    ]
    lines = [f"Validation images: {results['sizes']['validation']:,}. Text-conditioned, seed {results['seed']}."]
    figure = draw_curves(points, x_title="lambda", title="Re-ranking by mutual information", lines=lines, n_columns=2)
    return render(figure, "svg")


def _read_distractors(results: Mapping[str, Any]) -> DistractorReport:
    found = dict(results["distractors"])
    each = [Distractor(**{**one, "n_preferred": tuple(one["n_preferred"])}) for one in found.pop("distractors")]
    known = found.pop("known_words", None)
    return DistractorReport(
        **{**found, "n_fooled": tuple(found["n_fooled"])},
        distractors=tuple(each),
        known_words=known and KnownWordsResult(**{**known, "n_fooled": tuple(known["n_fooled"])}),
    )


def _read_templates(results: Mapping[str, Any]) -> TemplateReport:
    found = dict(results["templates"])
    rows = tuple(TemplateRow(**row) for row in found.pop("rows"))
    return TemplateReport(**{**found, "classes": tuple(found["classes"])}, rows=rows)


def _print_settings(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}` {value}" for name, value in settings.items()) or "default settings"


if __name__ == "__main__":
    stored = json.loads(Path(__file__).with_name("reranking.json").read_text())
    write_section(stored)
    write_figures(stored)
    sys.exit(0)
