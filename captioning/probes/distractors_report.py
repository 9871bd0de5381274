"""The distractor probe as Markdown and JSON."""

from dataclasses import asdict
from typing import Any

from captioning.probes.distractors import WAYS, DistractorReport
from metrics_plugins.probes.tables import format_json, format_table, print_share


def print_distractors(report: DistractorReport) -> str:
    """Return Markdown: the share of images where a distractor wins, and the distractors."""
    shares = [[way, _print_interval(report, way), str(report.n_fooled[WAYS.index(way)])] for way in WAYS]
    distractors = [
        [each.caption, str(each.n_training), str(each.n_kept), *map(str, each.n_preferred)]
        for each in report.distractors
    ]
    return "\n".join(
        [
            f"Captioner: {report.captioner}{f' ({report.note})' if report.note else ''}. Images: {report.n_images:,}, "
            f"of which {report.n_probed:,} have a distractor that names an object that is not there. Objects are those "
            "given with the images, and the objects that people name in their captions, found by CHAIR's synonyms.\n",
            "Images where a distractor is more likely than one of the human captions, with 95 % intervals (the paper "
            "has 73 % for the captioner of Anderson et al.):\n",
            format_table(["log-probabilities of words", "share of images", "images"], shares, n_names=1),
            format_table(
                ["distractor", "in training captions", "images kept", *(f"more likely by {way}" for way in WAYS)],
                distractors,
            ),
        ]
    )


def format_distractors(report: DistractorReport) -> str:
    """Return JSON: the fields of `DistractorReport`, with shares and intervals."""
    content: dict[str, Any] = asdict(report) | {
        "share_of_images": {way: report.get_share(way) for way in WAYS},
        "interval": {way: report.get_interval(way) for way in WAYS},
    }
    return format_json(content | {"n_fooled": dict(zip(WAYS, report.n_fooled, strict=True))})


def _print_interval(report: DistractorReport, way: str) -> str:
    low, high = report.get_interval(way)
    return f"{print_share(report.get_share(way))} [{100 * low:.1f}, {100 * high:.1f}]"
