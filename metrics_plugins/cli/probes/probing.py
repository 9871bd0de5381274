"""`probe`: compare captions that should score low with those of people and systems."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.probes.arguments import add_probe_arguments, read_probe_inputs
from metrics_plugins.cli.probes.reports import Forms, check_report, show_report
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.probes.templated.coco_objects import find_coco_objects
from metrics_plugins.probes.templated.distractors import find_central_caption, find_frequent_captions
from metrics_plugins.probes.templated.objects import find_in_references, read_objects
from metrics_plugins.probes.templated.probing import ProbeReport, probe_metrics
from metrics_plugins.probes.templated.report import format_probing, print_probing
from metrics_plugins.probes.templated.templates import caption_images
from metrics_plugins.readers import read_captions

_FORMS: Final[Forms[ProbeReport]] = {".md": print_probing, ".json": format_probing}
FOUND, TEMPLATE, CENTRAL = "found", "objects", "central"


def add_probe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_probe_arguments(parser, endings=".md or .json")
    parser.add_argument(
        "--systems",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="captions of a system to compare with (may be repeated)",
    )
    parser.add_argument(
        "--objects",
        metavar="FILE",
        help='probe "There is a ..." with the objects of each image: JSON, {"42": ["dog"]}; or `found`: those of '
        "COCO's kinds that the references mention",
    )
    parser.add_argument("--articles", choices=("first", "each"), default="first", help="articles (default: first)")
    parser.add_argument(
        "--duplicates", choices=("drop", "count"), default="drop", help="repeated objects (default: drop)"
    )
    parser.add_argument(
        "--frequent", type=read_count, metavar="N", help="probe with each of the N most frequent captions"
    )
    parser.add_argument("--central", action="store_true", help="probe with the caption most like all others")
    parser.add_argument(
        "--training",
        type=Path,
        metavar="FILE",
        help="captions to take common ones from (default: the references)",
    )
    parser.add_argument(
        "--position",
        type=read_whole,
        default=0,
        metavar="N",
        help="reference scored as the human caption (default: 0)",
    )
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_report(options.out, forms=_FORMS)
    if not (options.objects or options.frequent or options.central):
        raise UsageError("a probe is needed: --objects, --frequent or --central")
    files = _split_systems(options.systems)
    inputs = read_probe_inputs(options)
    systems = {name: _read_system(name, path) for name, path in files.items()}
    report = probe_metrics(
        inputs.fitted.metrics,
        inputs.references,
        probes=_make_probes(options, inputs.references),
        systems=systems,
        rng=inputs.rng,
        position=options.position,
        track=show_progress,
    )
    metrics = [replace(each, signature=inputs.fitted.sign(each.metric, each.signature)) for each in report.metrics]
    show_report(replace(report, metrics=tuple(metrics)), forms=_FORMS, out=options.out, as_json=options.json)
    return 0


def _split_systems(settings: Sequence[str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for setting in settings:
        name, equals, path = setting.partition("=")
        if not (name and equals and path):
            raise UsageError(f"--systems must be NAME=FILE, got {setting!r}")
        if name in files:
            raise UsageError(f"--systems must give each system a name of its own, got {name!r} twice")
        files[name] = Path(path)
    return files


def _read_system(name: str, path: Path) -> dict[str, str]:
    file = read_captions(path)
    captions: dict[str, str] = {}
    for record in file.records:
        if record.image_id in captions:
            reason = f"must be unique, but system {name!r} has a second caption of image {record.image_id}"
            raise file.refuse(record, field="image_id", reason=reason)
        captions[record.image_id] = record.caption
    return captions


def _make_probes(options: argparse.Namespace, references: Mapping[str, Sequence[str]]) -> dict[str, Mapping[str, str]]:
    probes: dict[str, Mapping[str, str]] = {}
    if options.objects:
        objects = _gather_objects(options.objects, references)
        probes[TEMPLATE] = caption_images(objects, articles=options.articles, duplicates=options.duplicates)
    if options.frequent or options.central:
        training = read_captions(options.training).group_by_image() if options.training else references
        captions = [text for texts in training.values() for text in texts]
        for place, found in enumerate(find_frequent_captions(captions, n=options.frequent or 0), start=1):
            probes[f"frequent-{place}"] = dict.fromkeys(references, found.caption)
        if options.central:
            probes[CENTRAL] = dict.fromkeys(references, find_central_caption(captions).caption)
    return probes


def _gather_objects(source: str, references: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    if source == FOUND:
        return find_in_references(references, find_objects=find_coco_objects)
    return read_objects(Path(source))
