"""The command `accordance`: finds the part of the project that a command belongs to, and loads only that."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from execution.stopping import raise_at_sigterm, report_stop

USAGE_EXIT: Final = 2

# Commands with files or plugins, which need no database.
_OF_METRICS: Final = frozenset({"list", "install-metrics", "check", "check-results", "fit", "probe", "human-agreement"})
# Commands on files that share their names with commands on studies, and the option that only the former have.
_BY_OPTION: Final[Mapping[str, str]] = MappingProxyType({"score": "--candidates", "robustness": "--references"})
_USAGE: Final = """\
usage: accordance COMMAND ...

Which automatic caption metrics agree with people?

on files, without a database:
  list                          list the installed metrics
  install-metrics SET           install METEOR, SPICE, a sentence encoder and others; without SET list them
  check ID                      check a metric against the contract
  score FILE... --table         compare systems: a row for each system and metric
  score --candidates FILE ...   print the score of every caption
  score ... --output FOLDER     score tables larger than memory, in parts
  correlate --scores FOLDER     print how well such scores agree with people
  fit, probe, human-agreement   train and examine metrics
  robustness --references FILE  show how fast scores fall when captions are distorted
  check-results FILE            check results for a challenge before they are uploaded
  notebooks FOLDER              copy the notebooks of the documentation, with their data
  constraints                   print the file with the tested version of every package, for `pip install -c`

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

exit codes: 0 done, 1 a check or a command failed, 2 an argument or a file is invalid, 130 stopped by Ctrl-C,
  143 stopped by SIGTERM
"""
_SCORE_USAGE: Final = """\
usage: accordance score FILE... --table       compare systems: a row for each system and metric
       accordance score --candidates FILE ... print the score of every caption; with --output FOLDER of large tables
       accordance score STUDY                 compute the missing scores of a study in the database

`accordance score --table --help`, `accordance score --candidates FILE --help` and `accordance manage score --help`
describe their options.
"""
# Of commands on studies; those on files say themselves what they keep.
_KEPT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "score": "complete scores are kept, and the same command computes only the others",
        "demo": "studies that were loaded are kept, and `accordance serve` serves them",
        "serve": "judgments and finished work are kept",
    }
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done; 1: a check or a command failed; 2: an argument or a file is invalid; 130: stopped by Ctrl-C;
    143: stopped by SIGTERM, which is handled only without `arguments`.
    """
    if arguments is None:
        raise_at_sigterm()
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
    if given[0] == "score" and set(given[1:]) <= {"-h", "--help"}:
        (sys.stdout if given[1:] else sys.stderr).write(_SCORE_USAGE)
        return 0 if given[1:] else USAGE_EXIT
    kept = "nothing was written"
    try:
        run = _choose_runner(given)
        if run is _run_django:
            kept = _KEPT.get(given[0], kept)
        return run(given)
    except KeyboardInterrupt as stopped:
        return report_stop(stopped, kept=kept)


def _choose_runner(given: Sequence[str]) -> Callable[[Sequence[str]], int]:
    name, rest = given[0], given[1:]
    if name == "score" and "--table" in rest:
        return _compare_systems
    if name == "constraints":
        return _print_constraints
    if name == "notebooks":
        return _copy_notebooks
    options = {each.split("=")[0] for each in rest}
    if name == "correlate" and "--scores" in options:
        return _correlate_folder
    if name in _OF_METRICS or _BY_OPTION.get(name) in options:
        return _run_metrics
    return _run_django


def _compare_systems(given: Sequence[str]) -> int:
    from accordance.score_table import main as run

    return run(given[1:])


def _print_constraints(given: Sequence[str]) -> int:
    if given[1:]:
        sys.stdout.write("usage: accordance constraints\n\nPrint the file of versions for `pip install -c`.\n")
        return 0 if set(given[1:]) <= {"-h", "--help"} else USAGE_EXIT
    from metrics_plugins.api.resources import find_constraints

    path = find_constraints()
    if path is None:
        sys.stderr.write("error: this package was built without constraints.txt\n")
        return 1
    sys.stdout.write(f"{path}\n")
    return 0


def _copy_notebooks(given: Sequence[str]) -> int:
    from accordance.notebooks import main as run

    return run(given[1:])


def _correlate_folder(given: Sequence[str]) -> int:
    from accordance.folder_correlations import main as run

    return run(given[1:])


def _run_metrics(given: Sequence[str]) -> int:
    from metrics_plugins.cli.main import main as run

    return run(given, name="accordance")


def _run_django(given: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    is_named = given[0] == "manage"
    execute_from_command_line(["accordance manage", *given[1:]] if is_named else ["accordance", *given])
    return 0
