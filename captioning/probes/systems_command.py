"""`python -m captioning systems`: write captions of systems whose truth is known, for given worlds."""

import argparse
import sys
from pathlib import Path

from captioning.probes.systems import SYSTEMS_FOLDER, make_systems, write_systems
from captioning.worlds.commands import add_set, choose_spec
from captioning.worlds.specs import SPLITS
from metrics_plugins.cli.arguments.counts import read_count


def add_systems(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Write worlds with references in the layout of ShapeWorld's generator, and for each of several systems a file "
        f"{SYSTEMS_FOLDER}/NAME.txt with a caption a line, in the order of the worlds: true captions, captions that a "
        "single edit made false (a system for each kind of edit), true captions of other worlds that are false of this "
        "one, and captions that one wrong word makes ungrammatical."
    )
    add_set(parser)
    parser.add_argument("--split", choices=SPLITS, default="test", help="default: test")
    parser.add_argument("--instances", required=True, type=read_count, metavar="N", help="number of worlds")
    parser.add_argument(
        "--references", type=read_count, default=10, metavar="K", help="references of a world (default: 10)"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="output folder")
    parser.set_defaults(command=_run, kept="files that were written are complete")


def _run(options: argparse.Namespace) -> int:
    spec = choose_spec(options)
    made = make_systems(spec, n_worlds=options.instances, n_references=options.references, split=options.split)
    write_systems(options.out, made, profile=spec.profile)
    sys.stdout.write(f"{len(made.instances)} worlds in {options.out}; systems {', '.join(made.captions)}\n")
    return 0
