"""The arguments of the command line, and the exit codes for errors."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

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
from metrics_plugins.api import MetricError
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.readers import InputError

USAGE_EXIT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 1 if a check failed, 2 if an argument or input is invalid."""
    options = _make_parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        exit_code = command(options)
        sys.stdout.flush()
        return exit_code
    except (CaptionerError, WorldError, InputError, MetricError, ProbeError, UsageError) as error:
        sys.stderr.write(f"error: {' '.join(str(error).split())}\n")
        return USAGE_EXIT
    except BrokenPipeError:
        # The output pipe was closed (`| head`). This is not an error, but Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


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
