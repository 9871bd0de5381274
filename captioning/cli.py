"""The arguments of the command line, and the exit codes for errors."""

import argparse
from collections.abc import Sequence

from captioning.api import CaptionerError
from captioning.commands.listing import add_list
from captioning.commands.probing import add_probe
from captioning.commands.scoring import add_score
from captioning.commands.training import add_train
from captioning.commands.writing import add_caption
from captioning.probes.command import add_truth_probe
from captioning.probes.systems_command import add_systems
from captioning.worlds.commands import add_worlds
from captioning.worlds.errors import WorldError
from execution.errors import UnknownExecutor
from metrics_plugins.api import MetricError
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.running import run_command
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.readers import InputError

_ERRORS = (CaptionerError, WorldError, InputError, MetricError, ProbeError, UsageError, UnknownExecutor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done; 1: a check failed, or processes or a cluster ended; 2: an argument or input is invalid; 130: stopped by
    Ctrl-C; 143: stopped by SIGTERM.
    """
    return run_command(_make_parser().parse_args(arguments), errors=_ERRORS)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m captioning", description="Captioners of images, and captions of worlds where truth is known."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_list(commands.add_parser("list", help="list the installed captioners"))
    add_train(commands.add_parser("train", help="train a captioner on images with captions"))
    add_caption(commands.add_parser("caption", help="write captions of images"))
    add_score(commands.add_parser("score", help="print the probabilities that a captioner gives to captions"))
    add_probe(commands.add_parser("probe", help="probe captioners with common captions and with lists of objects"))
    add_systems(commands.add_parser("systems", help="write captions of systems that are true, false or ungrammatical"))
    add_truth_probe(commands.add_parser("truth-probe", help="see which metrics prefer true captions to false ones"))
    add_worlds(commands.add_parser("worlds", help="worlds of shapes: make them, and check captions about them"))
    return parser
