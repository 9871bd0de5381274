"""`python -m captioning truth-probe`: which metrics prefer true captions to minimally false ones."""

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from captioning.probes.minimal_pairs import make_pairs
from captioning.probes.truth import TruthReport, probe_truth
from captioning.probes.truth_report import draw_truth, format_truth, print_truth
from captioning.worlds.specs import ICE_SPECS, find_spec
from correlation.figures.rendering import CONTENT_TYPES
from metrics_plugins.cli.arguments.building import build_metrics, split_ids
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import check_place, write_out
from metrics_plugins.cli.probes.reports import Forms, show_report
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.probes.fitting import fit_all
from metrics_plugins.readers import read_corpus
from metrics_plugins.runtime import load_registry

_FORMS: Final[Forms[TruthReport]] = {".md": print_truth, ".json": format_truth}
_FIGURES: Final = tuple(f".{name}" for name in CONTENT_TYPES)
_SETS: Final = ",".join([*(spec.name for spec in ICE_SPECS), "logical-full"])


def add_truth_probe(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Print how often each metric scores a true caption above one that a single edit made false (another color, "
        "shape, relation, number or connective), above a caption of another image, and above one that is not a "
        "sentence."
    )
    parser.add_argument("--metrics", required=True, metavar="A,B", help="ids of metrics, separated by commas")
    parser.add_argument("--param", action="append", default=[], metavar="METRIC.NAME=VALUE", help="as for `score`")
    parser.add_argument(
        "--corpus", default="", metavar="FILE[,FILE]", help="captions that metrics learn from, as for `score`"
    )
    parser.add_argument("--device", default="cpu", help="where metrics with encoders compute (default: cpu)")
    parser.add_argument(
        "--sets", default=_SETS, metavar="A,B", help=f"sets that `worlds list` prints (default: {_SETS})"
    )
    parser.add_argument("--worlds", type=read_count, default=200, metavar="N", help="worlds of each set (default: 200)")
    parser.add_argument(
        "--references",
        type=read_count,
        default=10,
        metavar="K",
        help="references of a world (default: 10, as in the paper)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write a .md, .json, .svg, .png or .pdf file instead of printing Markdown",
    )
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    if options.out:
        check_place(options.out, endings=(*_FORMS, *_FIGURES))
    specs = [find_spec(name.strip()) for name in options.sets.split(",")]
    if len({spec.name for spec in specs}) < len(specs):
        raise UsageError(f"--sets must name each set once, got {options.sets}")
    rng = np.random.default_rng(0)
    metrics = build_metrics(load_registry(), split_ids(options.metrics), params=options.param, device=options.device)
    fitted = fit_all(metrics, read_corpus(options.corpus) if options.corpus else None, rng=rng)
    pairs = [
        pair for spec in specs for pair in make_pairs(spec, n_worlds=options.worlds, n_references=options.references)
    ]
    report = probe_truth(fitted.metrics, pairs, rng=rng, track=show_progress)
    if options.out and options.out.suffix in _FIGURES:
        write_out(options.out, draw_truth(report, file_format=options.out.suffix.removeprefix(".")))
    else:
        show_report(report, forms=_FORMS, out=options.out)
    return 0
