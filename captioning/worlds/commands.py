"""The commands under `python -m captioning worlds`."""

import argparse
import sys
from pathlib import Path

from captioning.worlds.caption_files import format_agreement, read_captions
from captioning.worlds.checking import check_captions
from captioning.worlds.profiles import PROFILES
from captioning.worlds.world_files import read_worlds


def add_worlds(parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_check(commands.add_parser("check", help="print whether captions are true of their worlds"))


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
