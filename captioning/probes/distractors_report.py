"""The distractor probe as Markdown and JSON."""

from dataclasses import asdict
from typing import Any

from captioning.probes.distractors import AGGREGATIONS, DistractorReport, KnownWordsResult
from metrics_plugins.probes.tables import format_json, format_table, print_share


def print_distractors(report: DistractorReport) -> str:
    """Return Markdown: the share of images where a distractor wins, and the distractors."""
    known = report.known_words
    shares = [
        [
            aggregation,
            *(cell for each in (report, known) if each is not None for cell in _print_result(each, aggregation)),
        ]
        for aggregation in AGGREGATIONS
    ]
    header = ["log-probabilities of words", "share of images", "images"]
    if known is not None:
        header += ["share without captions with unknown words", "images"]
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
            format_table(header, shares, n_names=1),
            _explain_unknown(report),
            format_table(
                [
                    "distractor",
                    "in training captions",
                    "images kept",
                    *(f"more likely by {aggregation}" for aggregation in AGGREGATIONS),
                ],
                distractors,
            ),
        ]
    )


def format_distractors(report: DistractorReport) -> str:
    """Return JSON: the fields of `DistractorReport` and `KnownWordsResult`, with shares and intervals."""
    known = report.known_words
    return format_json(
        asdict(report) | _list_shares(report) | {"known_words": known and asdict(known) | _list_shares(known)}
    )


def _list_shares(result: DistractorReport | KnownWordsResult) -> dict[str, Any]:
    return {
        "n_fooled": dict(zip(AGGREGATIONS, result.n_fooled, strict=True)),
        "share_of_images": {aggregation: result.get_share(aggregation) for aggregation in AGGREGATIONS},
        "interval": {aggregation: result.get_interval(aggregation) for aggregation in AGGREGATIONS},
    }


def _print_result(result: DistractorReport | KnownWordsResult, aggregation: str) -> tuple[str, str]:
    low, high = result.get_interval(aggregation)
    interval = f" [{100 * low:.1f}, {100 * high:.1f}]" if result.n_images else ""
    return print_share(result.get_share(aggregation)) + interval, str(result.n_fooled[AGGREGATIONS.index(aggregation)])


def _explain_unknown(report: DistractorReport) -> str:
    known = report.known_words
    if known is None:
        return "The captioner does not count words outside its vocabulary.\n"
    return (
        f"{known.n_affected:,} images have a human caption with a word outside the captioner's vocabulary, which is "
        "scored as the unknown word. Without the captions that have such words, human ones and distractors, "
        f"{known.n_images:,} images have a human caption to compare with, and the second share is of these.\n"
    )
