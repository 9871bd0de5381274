"""`python -m captioning list`: the installed captioners."""

import argparse
import json
import sys
from dataclasses import asdict

from captioning.runtime import RegisteredCaptioner, load_captioners

_HEADER = ("ID", "INPUTS", "TRAINED", "SAMPLES", "SCORES", "PLUGIN", "DISTRIBUTION")


def add_list(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="print every field of every captioner as JSON")
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    registry = load_captioners()
    if options.json:
        sys.stdout.write(json.dumps([_describe(each) for each in registry], indent=2) + "\n")
    else:
        rows = [_HEADER, *(_make_row(each) for each in registry)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            sys.stdout.write("  ".join(cells).rstrip() + "\n")
    for refused in registry.refused:
        sys.stderr.write(" ".join(str(refused).split()) + "\n")
    return 0


def _make_row(registered: RegisteredCaptioner) -> tuple[str, ...]:
    info = registered.info
    trained = "yes" if registered.needs_training else "optional" if registered.is_trainable else "no"
    return (
        info.id,
        ",".join(sorted(info.inputs)) or "-",
        trained,
        "yes" if info.is_random else "no",
        "yes" if info.can_score else "no",
        registered.plugin,
        registered.distribution,
    )


def _describe(registered: RegisteredCaptioner) -> dict[str, object]:
    info = registered.info
    return {
        **asdict(info),
        "inputs": sorted(info.inputs),
        "is_trainable": registered.is_trainable,
        "needs_training": registered.needs_training,
        "plugin": registered.plugin,
        "distribution": registered.distribution,
    }
