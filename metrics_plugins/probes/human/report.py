"""Reports of human agreement, by metric and by word, in Markdown and JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

from metrics_plugins.probes.human.agreement import HumanAgreement
from metrics_plugins.probes.human.recall import WordOfSystem
from metrics_plugins.probes.tables import format_json, format_table, print_number
from metrics_plugins.probes.words import WordAgreement

Words = Sequence[WordAgreement] | Sequence[WordOfSystem]


def print_agreement(agreements: Sequence[HumanAgreement], words: Words = ()) -> str:
    """Return Markdown: a row for each metric, then a row for each word if there are any."""
    positions = [each.position for each in agreements[0].rounds]
    rows = [
        [each.metric, *(print_number(one.system) for one in each.rounds), print_number(each.system)]
        for each in agreements
    ]
    header = ["metric", *(f"reference {position}" for position in positions), "mean"]
    n_images = " / ".join(str(len(each.scores)) for each in agreements[0].rounds)
    head = f"Images: {n_images}; dropped (no second reference): {agreements[0].n_dropped}.\n\n"
    signatures = "".join(f"- `{each.signature}`\n" for each in agreements)
    parts = [head + format_table(header, rows), signatures]
    return "\n".join([*parts, _print_words(words)] if words else parts)


def format_agreement(agreements: Sequence[HumanAgreement], words: Words = ()) -> str:
    """Return JSON with `metrics`, a list, and `words`, a list that may be empty; an undefined number is null."""
    return format_json(
        {
            "metrics": [_describe_metric(each) for each in agreements],
            "words": [_describe_word(each) for each in words],
        }
    )


def _describe_metric(agreement: HumanAgreement) -> dict[str, Any]:
    return {
        "metric": agreement.metric,
        "signature": agreement.signature,
        "system": agreement.system,
        "n_dropped": agreement.n_dropped,
        "rounds": [
            {
                "position": each.position,
                "n_images": len(each.scores),
                "n_missing": each.scores.n_missing,
                "system": each.system,
                "mean": each.scores.mean,
            }
            for each in agreement.rounds
        ],
    }


def _describe_word(word: WordAgreement | WordOfSystem) -> dict[str, Any]:
    if isinstance(word, WordOfSystem):
        return _describe_word(word.human) | {
            "system": {name: value for name, value in asdict(word).items() if name != "human"}
        }
    return asdict(word) | {"model_precision": word.model_precision}


def _print_words(words: Words) -> str:
    header = ["word", "images", "Hp", "Hr", "p", "Hp of the model"]
    of_system = [each for each in words if isinstance(each, WordOfSystem)]
    people = [each.human if isinstance(each, WordOfSystem) else each for each in words]
    rows = [
        [
            each.word,
            str(each.n_images),
            *map(print_number, (each.precision, each.recall, each.probability, each.model_precision)),
        ]
        for each in people
    ]
    if of_system:
        header += ["system: images", "precision", "recall", "PHR"]
        rows = [
            [
                *row,
                str(each.n_images),
                *map(print_number, (each.precision, each.recall, each.precision_at_human_recall)),
            ]
            for row, each in zip(rows, of_system, strict=True)
        ]
    text = format_table(header, rows)
    reached = [each.precision_at_human_recall for each in of_system if not isnan(each.precision_at_human_recall)]
    if of_system:
        mean = print_number(sum(reached) / len(reached)) if reached else "undefined"
        text += f"\nMean PHR: {mean}, over the {len(reached)} of {len(of_system)} words in which it is defined.\n"
    return text
