"""The command `accordance`: finds the part of the project that a command belongs to, and loads only that."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

INTERRUPTED_EXIT: Final = 130
USAGE_EXIT: Final = 2

# Commands with files or plugins, which need no database.
_OF_METRICS: Final = frozenset({"list", "check", "fit", "probe", "human-agreement"})
_USAGE: Final = """\
usage: accordance COMMAND ...

Which automatic caption metrics agree with people?

on files, without a database:
  list                          list the installed metrics
  check ID                      check a metric against the contract
  score FILE... --table         compare systems: a row for each system and metric
  score --candidates FILE ...   print the score of every caption
  fit, probe, human-agreement   train and examine metrics

on studies, in the database:
  demo                          load small studies, score, correlate and serve them
  serve                         serve the pages
  import_data FORMAT            import published judgments
  score STUDY                   compute the missing scores of a study
  correlate STUDY               print how well metrics agree with people
  compare STUDY A B             print whether two metrics differ
  manage COMMAND                any other command of docs/operations.md

options:
  -h, --help                    show this message; COMMAND --help describes a command
  --version                     show the version

exit codes: 0 done, 1 a check or a command failed, 2 an argument or a file is invalid, 130 stopped by Ctrl-C
"""
_KEPT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "score": "scores of a study that were complete are kept, and the same command computes the others; "
        "of files nothing was written",
        "fit": "the last checkpoint is kept, and the same command goes on from it",
        "demo": "studies that were loaded are kept, and `accordance serve` serves them",
        "serve": "judgments and finished work are kept",
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done; 1: a check or a command failed; 2: an argument or a file is invalid; 130: stopped by Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help", "help"):
        (sys.stdout if given else sys.stderr).write(_USAGE)
        return 0 if given else USAGE_EXIT
    if given[0] == "--version":
        from importlib.metadata import version

        sys.stdout.write(f"accordance {version('accordance')}\n")
        return 0
    if given[0].startswith("-"):
        sys.stderr.write(f"error: the first argument must be a command, got {given[0]!r}; see `accordance --help`\n")
        return USAGE_EXIT
    try:
        return _choose_runner(given)(given)
    except KeyboardInterrupt:
        kept = _KEPT.get(given[0], "nothing was written")
        sys.stderr.write(f"\nstopped: {kept}\n")
        return INTERRUPTED_EXIT


def _choose_runner(given: Sequence[str]) -> Callable[[Sequence[str]], int]:
    name, rest = given[0], given[1:]
    if name == "score" and "--table" in rest:
        return _compare_systems
    if name in _OF_METRICS or (name == "score" and any(each.startswith("--candidates") for each in rest)):
        return _run_metrics
    return _run_django


def _compare_systems(given: Sequence[str]) -> int:
    from accordance.score_table import main as run

    return run(given[1:])


def _run_metrics(given: Sequence[str]) -> int:
    from metrics_plugins.cli.main import main as run

    return run(given)


def _run_django(given: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    is_named = given[0] == "manage"
    execute_from_command_line(["accordance manage", *given[1:]] if is_named else ["accordance", *given])
    return 0
