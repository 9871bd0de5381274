"""`human-agreement`: compare each reference with the others, by metrics and by words."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.probes.arguments import add_probe_arguments, read_probe_inputs
from metrics_plugins.cli.probes.reports import Forms, check_report, show_report
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.probes.human.agreement import HumanAgreement, measure_human_agreement
from metrics_plugins.probes.human.recall import measure_human_recall
from metrics_plugins.probes.human.report import Words, format_agreement, print_agreement
from metrics_plugins.probes.words import N_REFERENCES, count_words, measure_word_agreement, rank_words
from metrics_plugins.readers import read_captions


@dataclass(frozen=True, slots=True)
class _Found:
    agreements: Sequence[HumanAgreement]
    words: Words


_FORMS: Final[Forms[_Found]] = {
    ".md": lambda found: print_agreement(found.agreements, found.words),
    ".json": lambda found: format_agreement(found.agreements, found.words),
}


def add_human_agreement(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_probe_arguments(parser, endings=".md or .json")
    parser.add_argument(
        "--position", type=read_whole, metavar="N", help="hold out only this reference, from 0 (default: each in turn)"
    )
    parser.add_argument(
        "--words", metavar="N", help="also print how people agree on words: the N words in the most images, or a,b,c"
    )
    parser.add_argument(
        "--word-references",
        type=read_count,
        default=N_REFERENCES,
        metavar="K",
        help="references that a caption's words are compared with (default: %(default)s)",
    )
    parser.add_argument(
        "--system", type=Path, metavar="FILE", help="captions of a system: its precision at human recall beside --words"
    )
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_report(options.out, forms=_FORMS)
    if options.system and not options.words:
        raise UsageError("--system is compared word by word: give the words with --words")
    wanted = _read_words(options.words) if options.words else ()
    inputs = read_probe_inputs(options)
    positions = None if options.position is None else [options.position]
    agreements = measure_human_agreement(
        inputs.fitted.metrics, inputs.references, rng=inputs.rng, positions=positions, track=show_progress
    )
    agreements = tuple(replace(each, signature=inputs.fitted.sign(each.metric, each.signature)) for each in agreements)
    words = _measure_words(wanted, options, inputs.references) if wanted else ()
    show_report(_Found(agreements, words), forms=_FORMS, out=options.out, as_json=options.json)
    return 0


def _read_words(text: str) -> int | list[str]:
    if text.isdecimal():
        if int(text) < 1:
            raise UsageError(f"--words must be a number from 1, or words separated by commas, got {text!r}")
        return int(text)
    words = [word.strip().lower() for word in text.split(",")]
    if not all(words):
        raise UsageError(f"--words must be a number from 1, or words separated by commas, got {text!r}")
    return list(dict.fromkeys(words))


def _measure_words(
    wanted: int | Sequence[str], options: argparse.Namespace, references: dict[str, tuple[str, ...]]
) -> Words:
    captions = read_captions(options.system).group_by_image() if options.system else None
    if captions is not None:
        references = {image_id: texts for image_id, texts in references.items() if image_id in captions}
    counts = count_words(references, n_references=options.word_references)
    if isinstance(wanted, int):
        wanted = rank_words(counts)[:wanted]
    if captions is None:
        return measure_word_agreement(counts, wanted)
    return measure_human_recall(counts, captions, words=wanted)
