"""`robustness`: measure how a metric's score falls as human captions are distorted."""

import argparse
from dataclasses import replace
from typing import Final, get_args

from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.arguments.executors import add_executor_arguments, make_backend
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.plugins import load_plugins
from metrics_plugins.cli.probes.arguments import add_probe_arguments, read_probe_inputs
from metrics_plugins.cli.probes.reports import Forms, check_report, show_report
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.probes.robustness import RobustnessReport, Summary, divide_strengths, measure_robustness
from metrics_plugins.probes.robustness_report import format_robustness_csv, format_robustness_json, print_robustness
from metrics_plugins.text.distortions import Distortion

_FORMS: Final[Forms[RobustnessReport]] = {
    ".md": print_robustness,
    ".json": format_robustness_json,
    ".csv": format_robustness_csv,
}


def add_robustness(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_probe_arguments(parser, endings=".md, .json or .csv")
    parser.add_argument(
        "--distortions",
        default=",".join(Distortion),
        metavar="A,B",
        help="rc (captions of other images), wp (words out of order), rw (random words) (default: all)",
    )
    parser.add_argument(
        "--steps", type=read_count, default=10, metavar="N", help="steps of strength from 0 to 1 (default: %(default)s)"
    )
    parser.add_argument(
        "--position", type=read_whole, default=0, metavar="N", help="which reference to distort, from 0 (default: 0)"
    )
    parser.add_argument(
        "--summary", choices=get_args(Summary), default="mean", help="mean of scores, or the system score"
    )
    add_executor_arguments(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    check_report(options.out, forms=_FORMS)
    distortions = _read_distortions(options.distortions)
    inputs = read_probe_inputs(options)
    report = measure_robustness(
        inputs.fitted.metrics,
        inputs.references,
        rng=inputs.rng,
        distortions=distortions,
        strengths=divide_strengths(options.steps),
        position=options.position,
        summary=options.summary,
        backend=make_backend(load_plugins(options.plugin), options),
        track=show_progress,
    )
    curves = [replace(each, signature=inputs.fitted.sign(each.metric, each.signature)) for each in report.curves]
    show_report(replace(report, curves=tuple(curves)), forms=_FORMS, out=options.out, as_json=options.json)
    return 0


def _read_distortions(text: str) -> list[Distortion]:
    names = [name.strip() for name in text.split(",")]
    unknown = [name for name in names if name not in set(Distortion)]
    if unknown:
        raise UsageError(f"--distortions must be some of {', '.join(Distortion)}, got {unknown[0]!r}")
    return [Distortion(name) for name in dict.fromkeys(names)]
