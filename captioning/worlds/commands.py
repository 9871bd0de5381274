"""The commands of `python -m captioning worlds`."""

import argparse
import os
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captioning.worlds.captions.checking import check_captions
from captioning.worlds.errors import BadCaptionFile
from captioning.worlds.files.caption_files import format_agreement, read_captions
from captioning.worlds.files.world_files import read_worlds
from captioning.worlds.grounding import find_construction
from captioning.worlds.specs import SPECS, SPLITS, Spec, find_spec
from captioning.worlds.truth.profiles import PROFILES
from execution.factory import choose_kind, make_executor
from execution.whole_files import write_whole
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.readers import InputError
from metrics_plugins.readers import read_captions as read_caption_records

if TYPE_CHECKING:
    from tqdm import tqdm


def add_worlds(parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_list(commands.add_parser("list", help="list the named sets"))
    _add_check(commands.add_parser("check", help="print whether captions are true of their worlds"))
    _add_make(commands.add_parser("make", help="write worlds, images and captions of a named set"))
    _add_constructions(commands.add_parser("constructions", help="count the constructions of captions"))
    _add_sheet(commands.add_parser("sheet", help="draw a page of examples of a named set"))


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(command=_list)


def _list(_: argparse.Namespace) -> int:
    width = max(map(len, SPECS))
    sys.stdout.write("".join(f"{spec.name:{width}}  {spec.title}\n" for spec in SPECS.values()))
    return 0


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a line for each world with a value for each caption: 1.0 true, 0.0 false, 0.5 ambiguous, nan not a "
        "sentence of the language. Exit code 1 if a caption is not a sentence."
    )
    parser.add_argument("--worlds", required=True, type=Path, metavar="FILE", help="world_model.json")
    parser.add_argument("--captions", required=True, type=Path, metavar="FILE", help="caption.txt")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="S", help="rules of truth (default: S)")
    parser.set_defaults(command=_check)


def _check(options: argparse.Namespace) -> int:
    worlds = read_worlds(options.worlds)
    captions = read_captions(options.captions, n_worlds=len(worlds))
    result = check_captions(captions, worlds, profile=PROFILES[options.profile])
    sys.stdout.write(format_agreement(result.values))
    for fault in result.faults:
        sys.stderr.write(f"{options.captions}: world {fault.world}, caption {fault.caption}: {fault.message}\n")
    return 1 if result.faults else 0


def _add_constructions(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a line for each construction, most frequent first: its count in the captions and in the references, and "
        "the construction. Captions that are not sentences of the language are counted as `ungrammatical`."
    )
    parser.add_argument("--captions", required=True, type=Path, metavar="FILE", help="captions, as `score` reads them")
    parser.add_argument("--references", type=Path, metavar="FILE", help="references, as `score` reads them")
    parser.set_defaults(command=_count_constructions)


def _count_constructions(options: argparse.Namespace) -> int:
    captions, references = _read_constructions(options.captions), _read_constructions(options.references)
    for name in sorted(captions | references, key=lambda name: (-captions[name], -references[name], name)):
        sys.stdout.write(f"{captions[name]:7} {references[name]:7}  {name}\n")
    return 0


def _read_constructions(path: Path | None) -> Counter[str]:
    if path is None:
        return Counter()
    try:
        records = read_caption_records(path).records
    except InputError as error:
        raise BadCaptionFile(str(error)) from error
    return Counter(find_construction(record.caption) or "ungrammatical" for record in records)


def _add_make(parser: argparse.ArgumentParser) -> None:
    parser.description = "Write the first instances of a split. A run that was stopped goes on where it was."
    add_set(parser)
    parser.add_argument("--split", choices=SPLITS, default="train", help="default: train")
    parser.add_argument("--instances", required=True, type=read_count, metavar="N", help="number of worlds")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="output folder")
    parser.add_argument(
        "--captions",
        type=read_count,
        metavar="K",
        help="captions a world (default: 1 in train, else 10, as in the paper)",
    )
    parser.add_argument("--correct", type=float, default=1.0, metavar="P", help="share of true captions (default: 1)")
    parser.add_argument("--layout", choices=("shards", "original"), default="shards", help="default: shards")
    parser.add_argument(
        "--processes", type=read_count, default=os.cpu_count() or 1, metavar="N", help="default: every core"
    )
    parser.set_defaults(command=_make, kept="complete shards are kept, and the same command makes only the others")


def _make(options: argparse.Namespace) -> int:
    spec = choose_spec(options)
    n_captions = options.captions or (1 if options.split == "train" else 10)
    if options.layout == "original":
        options.kept = "files that were written are complete"
        return _make_original(spec, options, n_captions)

    from tqdm import tqdm

    from captioning.worlds.making import make_files

    with (
        make_executor(choose_kind(), workers=options.processes) as executor,
        tqdm(total=options.instances, unit=" worlds", disable=None) as bar,
    ):
        made = make_files(
            spec,
            split=options.split,
            n_instances=options.instances,
            folder=options.out,
            executor=executor,
            n_captions=n_captions,
            report=lambda count: _advance(bar, count),
        )
    sys.stdout.write(f"{made.n_written} shards written, {made.n_kept} were there; captions in {made.captions}\n")
    return 0


def _advance(bar: "tqdm[Any]", count: int) -> None:
    bar.update(count)


def _make_original(spec: Spec, options: argparse.Namespace, n_captions: int) -> int:
    from captioning.worlds.files.original_layout import write_original_layout
    from captioning.worlds.instances import make_instance

    indices = range(options.instances)
    instances = [make_instance(spec, split=options.split, index=each, n_captions=n_captions) for each in indices]
    has_trees = write_original_layout(options.out, instances, profile=spec.profile)
    without = "" if has_trees else "; without caption_model.json and caption_rpn.txt: the original lacks such captions"
    sys.stdout.write(f"{len(instances)} worlds in {options.out}{without}\n")
    return 0


def _add_sheet(parser: argparse.ArgumentParser) -> None:
    parser.description = "Draw a page of images, each with two true and two minimally false captions."
    add_set(parser)
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="a PNG file")
    parser.add_argument("--images", type=read_count, default=9, metavar="N", help="how many images (default: 9)")
    parser.set_defaults(command=_draw_sheet)


def _draw_sheet(options: argparse.Namespace) -> int:
    from captioning.worlds.contact_sheet import draw_contact_sheet
    from captioning.worlds.rendering import encode_png

    page = draw_contact_sheet(choose_spec(options), n_images=options.images)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(options.out, encode_png(page))
    return 0


def add_set(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose a set and a profile."""
    parser.add_argument(
        "set", metavar="SET", help="a name that `worlds list` prints, perhaps with `-withheld` behind it"
    )
    parser.add_argument("--profile", choices=sorted(PROFILES), default="S", help="rules of truth (default: S)")


def choose_spec(options: argparse.Namespace) -> Spec:
    """Return the set that the arguments of `add_set` choose, all captions true unless `--correct` says otherwise."""
    return replace(find_spec(options.set), profile_name=options.profile, correct_ratio=getattr(options, "correct", 1.0))
