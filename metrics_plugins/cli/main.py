"""The arguments of the command line, and the exit codes for errors."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics_plugins.api import MetricError
from metrics_plugins.cli.checking import check
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.fitting import add_fit
from metrics_plugins.cli.listing import list_metrics
from metrics_plugins.cli.probes.human_agreement import add_human_agreement
from metrics_plugins.cli.probes.probing import add_probe
from metrics_plugins.cli.probes.robustness import add_robustness
from metrics_plugins.cli.results import add_check_results
from metrics_plugins.cli.scoring import score
from metrics_plugins.readers import InputError

USAGE_EXIT = 2

_FILES = (
    "COCO JSON (.json), CSV, JSON lines or Parquet with image_id and caption (.csv, .jsonl, .parquet), or lines (.txt)"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done; 1: a check failed or a metric is undefined everywhere; 2: an argument or input is invalid.
    """
    options = _make_parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        exit_code = command(options)
        sys.stdout.flush()
        return exit_code
    except (InputError, MetricError, UsageError) as error:
        message = " ".join(str(error).split())
        sys.stderr.write(f"error: {message}\n")
        return USAGE_EXIT
    except BrokenPipeError:
        # The output pipe was closed (`| head`). This is not an error, but Python would report it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m metrics_plugins", description="Caption metrics, as plugins.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_list(commands.add_parser("list", help="list the installed metrics, or print the cards of some"))
    _add_check(commands.add_parser("check", help="check a metric against the contract, clause by clause"))
    _add_score(commands.add_parser("score", help="score candidates against references"))
    add_check_results(commands)
    add_fit(commands)
    add_human_agreement(commands)
    add_probe(commands)
    add_robustness(commands)
    return parser


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metrics", nargs="*", metavar="ID", help="print the card of these metrics")
    parser.add_argument("--json", action="store_true", help="print every field as JSON")
    parser.set_defaults(command=lambda options: list_metrics(options.metrics, as_json=options.json))


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("metric", metavar="ID", help="a metric's id, as `list` prints it")
    parser.set_defaults(command=lambda options: check(options.metric))


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--candidates", required=True, type=Path, metavar="FILE", help=f"captions to score: {_FILES}")
    parser.add_argument("--references", type=Path, metavar="FILE", help="ground truth, in the same formats")
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
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write a .csv, .jsonl or .parquet file instead of printing JSON lines"
    )
    parser.add_argument("--signatures", action="store_true", help="print each metric's signature to standard error")
    parser.set_defaults(
        command=lambda options: score(
            options.candidates,
            references=options.references,
            metric_ids=options.metrics,
            params=options.param,
            device=options.device,
            seed=options.seed,
            out=options.out,
            show_signatures=options.signatures,
            corpus=options.corpus,
            judged=options.judged,
            worlds=options.worlds,
        )
    )
