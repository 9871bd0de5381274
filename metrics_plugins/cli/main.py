"""The arguments of the command line, and the exit codes for errors."""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from execution.errors import UnknownExecutor
from metrics_plugins.api import MetricError
from metrics_plugins.cli.checking import add_check
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.fitting import add_fit
from metrics_plugins.cli.installing import add_install_metrics
from metrics_plugins.cli.large_tables.command import add_table_arguments, check_table_arguments, score_to_folder
from metrics_plugins.cli.listing import list_metrics
from metrics_plugins.cli.plugins import add_plugin_option
from metrics_plugins.cli.probes.human_agreement import add_human_agreement
from metrics_plugins.cli.probes.probing import add_probe
from metrics_plugins.cli.probes.robustness import add_robustness
from metrics_plugins.cli.results import add_check_results
from metrics_plugins.cli.running import run_command
from metrics_plugins.cli.scoring import score
from metrics_plugins.readers import InputError
from metrics_plugins.runtime.printing import keeping_stdout

_FILES = (
    "COCO JSON (.json), CSV, JSON lines or Parquet with image_id and caption (.csv, .jsonl, .parquet), or lines (.txt)"
)


def main(arguments: Sequence[str] | None = None, *, name: str = "python -m metrics_plugins") -> int:
    """Run a command and return its exit code; `name` is how the program was called, for its usage.

    0: done; 1: a check failed, a metric is undefined everywhere, or processes or a cluster ended; 2: an argument or
    input is invalid; 130: stopped by Ctrl-C; 143: stopped by SIGTERM.
    """
    with keeping_stdout():
        return _run(arguments, name=name)


def _run(arguments: Sequence[str] | None, *, name: str) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Whoever reads a pipe sees each line when it is there.
        sys.stdout.reconfigure(line_buffering=True)
    options, unknown = _make_parser(name).parse_known_args(arguments)
    if unknown:
        # argparse itself would print the usage of all commands, without the options of this one.
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return run_command(options, errors=(InputError, MetricError, UsageError, UnknownExecutor))


def _make_parser(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=name, description="Caption metrics, as plugins.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_list(commands.add_parser("list", help="list the installed metrics, or print the cards of some"))
    add_check(commands.add_parser("check", help="check a metric against the contract, clause by clause"))
    _add_score(commands.add_parser("score", help="score candidates against references"))
    add_install_metrics(commands.add_parser("install-metrics", help="install what further metrics need, and try them"))
    add_check_results(
        commands.add_parser("check-results", help="check results for a challenge before they are uploaded")
    )
    add_fit(commands.add_parser("fit", help="fit a metric on files, and store it in a folder"))
    add_human_agreement(
        commands.add_parser("human-agreement", help="score each reference against the others of its image")
    )
    add_probe(
        commands.add_parser("probe", help="find metrics by which lists of objects or common captions score highest")
    )
    add_robustness(commands.add_parser("robustness", help="distort human captions, and show how fast scores fall"))
    for each in commands.choices.values():
        each.set_defaults(parser=each)
    return parser


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metrics", nargs="*", metavar="ID", help="print the card of these metrics")
    parser.add_argument("--json", action="store_true", help="print every field as JSON")
    add_plugin_option(parser)
    parser.set_defaults(
        command=lambda options: list_metrics(options.metrics, as_json=options.json, plugins=options.plugin)
    )


def _add_score(parser: argparse.ArgumentParser) -> None:
    # Texts, because a path would not keep the two slashes of a URL.
    parser.add_argument("--candidates", required=True, metavar="FILE", help=f"captions to score: {_FILES}")
    parser.add_argument("--references", metavar="FILE", help="ground truth, in the same formats")
    parser.add_argument("--metrics", required=True, metavar="A,B", help="ids of metrics, separated by commas")
    parser.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="METRIC.NAME=VALUE",
        help="set a parameter of a metric (may be repeated)",
    )
    parser.add_argument(
        "--corpus", default="", metavar="FILE[,FILE]", help="captions that metrics learn from, or plain text (.txt)"
    )
    parser.add_argument(
        "--judged",
        type=Path,
        metavar="FILE",
        help="judged captions (image_id, caption, judgment) that metrics learn from; --references holds theirs, too",
    )
    parser.add_argument(
        "--worlds",
        type=Path,
        metavar="FILE",
        help="the worlds of the images (world_model.json), for metrics of truth; FILE@H chooses profile H",
    )
    parser.add_argument("--device", default="cpu", help="where metrics with encoders compute (default: cpu)")
    parser.add_argument("--seed", type=int, default=0, help="seed of metrics that draw at random (default: 0)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--out", type=Path, metavar="FILE", help="write a .csv, .jsonl or .parquet file instead of printing JSON lines"
    )
    form.add_argument("--json", action="store_true", help="print one JSON object with all rows and the signatures")
    parser.add_argument("--signatures", action="store_true", help="print each metric's signature to standard error")
    add_table_arguments(parser)
    add_plugin_option(parser)
    parser.set_defaults(command=_score)


def _score(options: argparse.Namespace) -> int:
    check_table_arguments(options)
    if options.output is not None:
        options.kept = "complete partitions are kept, and the same command computes only the others"
        return score_to_folder(options)
    return score(
        Path(options.candidates),
        references=Path(options.references) if options.references else None,
        metric_ids=options.metrics,
        params=options.param,
        device=options.device,
        seed=options.seed,
        out=options.out,
        show_signatures=options.signatures,
        corpus=options.corpus,
        judged=options.judged,
        worlds=options.worlds,
        plugins=options.plugin,
        as_json=options.json,
    )
