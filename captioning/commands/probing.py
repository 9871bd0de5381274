"""`python -m captioning probe distractors | object-templates`: what captioners and metrics make of common captions."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Final

import numpy as np

from captioning.api import CaptionedImages, Decoding, Images
from captioning.commands.arguments import add_captioner, add_images, find_captioner, load_splits, read_sources
from captioning.probes.distractors import N_DISTRACTORS, DistractorReport, probe_distractors
from captioning.probes.distractors_report import format_distractors, print_distractors
from captioning.probes.object_templates import N_CLASSES, TemplateReport, compare_templates
from captioning.probes.object_templates_report import draw_templates, format_templates, print_templates
from captioning.readers import read_captioned
from captioning.readers.captioned import tokenize_rows
from captioning.runtime import load_captioners, run_captioner
from correlation.figures.rendering import CONTENT_TYPES
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import check_place, write_out
from metrics_plugins.cli.probes.reports import Forms, check_report, show_report
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.probes.templated.coco_objects import find_coco_objects
from metrics_plugins.probes.templated.objects import find_in_references
from metrics_plugins.readers import read_corpus

_DISTRACTOR_FORMS: Final[Forms[DistractorReport]] = {".md": print_distractors, ".json": format_distractors}
_TEMPLATE_FORMS: Final[Forms[TemplateReport]] = {".md": print_templates, ".json": format_templates}
_FIGURES: Final = tuple(f".{name}" for name in CONTENT_TYPES)
_GIVEN: Final = "those given with the images"
_NAMED: Final = "those that the human captions name, by CHAIR's synonyms, so that templates know what references say"
_HELD_OUT: Final = "those that the held-out caption names, by CHAIR's synonyms (COCO's annotations are not bundled)"


def add_probe(parser: argparse.ArgumentParser) -> None:
    """Add the probes."""
    parser.description = "Probe captioners with captions that are common and wrong, or that only list objects."
    probes = parser.add_subparsers(required=True, metavar="PROBE")
    _add_distractors(probes.add_parser("distractors", help="are common wrong captions more likely than human ones?"))
    _add_templates(probes.add_parser("object-templates", help="do lists of objects top captioners under SPICE?"))


def _add_distractors(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print the share of images where the captioner gives one of the most frequent training captions, kept only if "
        "it names an object that is not there, a higher probability than one of the human captions. Objects are those "
        "of --objects, and those that the human captions name, by CHAIR's synonyms."
    )
    _add_common(parser, endings=".md or .json")
    parser.add_argument(
        "-n", type=read_count, default=N_DISTRACTORS, help=f"distractors (default: {N_DISTRACTORS}, as in the paper)"
    )
    parser.set_defaults(command=_run_distractors)


def _add_templates(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print SPICE, SPICE-U and length of the captioner and of sentences that only list those objects of an image "
        "whose class is among the most common ones. Objects are those of --objects, or else those that the human "
        "captions name, by CHAIR's synonyms."
    )
    _add_common(parser, endings=f".md, .json, {', '.join(_FIGURES)}")
    parser.add_argument("--decoding", default="", metavar="METHOD,NAME=VALUE", help="as for `caption`")
    parser.add_argument(
        "--classes",
        type=_read_counts,
        default=N_CLASSES,
        metavar="N,N",
        help=f"numbers of classes (default: {','.join(map(str, N_CLASSES))})",
    )
    parser.set_defaults(command=_run_templates)


def _add_common(parser: argparse.ArgumentParser, *, endings: str) -> None:
    add_captioner(parser)
    parser.add_argument("--captions", default="", metavar="FILE[,FILE]", help="human captions of the images")
    parser.add_argument(
        "--training", default="", metavar="FILE[,FILE]", help="training captions (default with --coco: COCO's)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"write a {endings} file instead of printing Markdown")
    add_images(parser)


def _run_distractors(options: argparse.Namespace) -> int:
    check_report(options.out, forms=_DISTRACTOR_FORMS)
    captioner = find_captioner(options, load_captioners())
    training = _read_training(options)
    report = probe_distractors(
        captioner,
        _read_data(options),
        training_captions=list(chain.from_iterable(training.values())),
        n_distractors=options.n,
        track=show_progress,
    )
    show_report(report, forms=_DISTRACTOR_FORMS, out=options.out)
    return 0


def _run_templates(options: argparse.Namespace) -> int:
    if options.out:
        check_place(options.out, endings=(*_TEMPLATE_FORMS, *_FIGURES))
    captioner = find_captioner(options, load_captioners())
    training = _name_objects(tokenize_rows(_choose_images(_read_training(options), options)))
    data = _read_data(options)
    objects = _HELD_OUT if options.coco else _GIVEN
    if data.images.objects is None:
        found = _name_objects(dict(zip(data.images.keys, data.captions, strict=True)))
        data, objects = _give_objects(data, found.images.objects), _NAMED
    rng = np.random.default_rng(options.seed)
    decoding = Decoding.parse(options.decoding) if options.decoding else None
    batch = run_captioner(captioner, data.images, decoding=decoding, rng=rng, allow_empty=True, track=show_progress)
    report = compare_templates(
        {captioner.info.id: [row[0] for row in batch.captions]},
        data,
        training=training,
        objects=objects,
        n_classes=options.classes,
        rng=rng,
        track=show_progress,
    )
    if options.out and options.out.suffix in _FIGURES:
        write_out(options.out, draw_templates(report, file_format=options.out.suffix.removeprefix(".")))
    else:
        show_report(report, forms=_TEMPLATE_FORMS, out=options.out)
    return 0


def _read_data(options: argparse.Namespace) -> CaptionedImages:
    if options.worlds is not None:
        raise UsageError("--worlds cannot be probed: their captions name no objects of COCO")
    splits = load_splits(options, split="test")
    if splits is None and not options.captions:
        raise UsageError("pass --captions FILE or --coco")
    if splits is not None and options.captions:
        raise UsageError("--coco has captions of its own: leave out --captions")
    return splits.test if splits else read_captioned(options.captions, read_sources(options))


def _read_training(options: argparse.Namespace) -> Mapping[str, tuple[str, ...]]:
    """Return the training captions of each image."""
    if options.training:
        return read_corpus(options.training).captions
    if not options.coco:
        raise UsageError("pass the captions that the captioner was trained on: --training FILE")
    from captioning.data.coco import read_training_captions

    return read_training_captions()


def _choose_images(
    training: Mapping[str, tuple[str, ...]], options: argparse.Namespace
) -> Mapping[str, tuple[str, ...]]:
    """Return the training captions of the images in which SPICE-U counts concepts."""
    if options.training:
        return training
    # All images of COCO would take SPICE hours.
    return dict(islice(training.items(), max(10 * options.instances, 10_000)))


def _name_objects(captions: Mapping[str, Sequence[str]]) -> CaptionedImages:
    """Return images whose objects are those that their captions name."""
    objects = find_in_references(captions, find_objects=find_coco_objects)
    images = Images(keys=tuple(captions), objects=tuple(objects[key] for key in captions))
    return CaptionedImages(images, tuple(tuple(lines) for lines in captions.values()))


def _give_objects(data: CaptionedImages, objects: tuple[tuple[str, ...], ...] | None) -> CaptionedImages:
    return replace(data, images=replace(data.images, objects=objects))


def _read_counts(text: str) -> tuple[int, ...]:
    return tuple(read_count(part.strip()) for part in text.split(","))
