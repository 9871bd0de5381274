"""Shared arguments and inputs of the commands that probe metrics."""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metrics_plugins.cli.arguments.building import build_metrics, split_ids
from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.inputs import draw_images
from metrics_plugins.cli.output import add_json_option
from metrics_plugins.cli.plugins import add_plugin_option, load_plugins
from metrics_plugins.probes.fitting import FittedMetrics, fit_all
from metrics_plugins.readers import read_captions, read_corpus


@dataclass(frozen=True, slots=True)
class ProbeInputs:
    """The inputs of every probe: metrics, the references of each image, and a source of randomness."""

    fitted: FittedMetrics
    references: dict[str, tuple[str, ...]]
    rng: np.random.Generator


def add_probe_arguments(parser: argparse.ArgumentParser, *, endings: str) -> None:
    """Add the arguments for metrics, references, the seed and the report file."""
    parser.add_argument("--references", required=True, type=Path, metavar="FILE", help="human captions, as for `score`")
    parser.add_argument("--metrics", required=True, metavar="A,B", help="ids of metrics, separated by commas")
    parser.add_argument("--param", action="append", default=[], metavar="METRIC.NAME=VALUE", help="as for `score`")
    parser.add_argument(
        "--corpus", default="", metavar="FILE[,FILE]", help="captions that metrics learn from, as for `score`"
    )
    parser.add_argument("--device", default="cpu", help="where metrics with encoders compute (default: cpu)")
    parser.add_argument(
        "--sample", type=read_count, metavar="N", help="use N images drawn by the seed (default: all images)"
    )
    parser.add_argument("--seed", type=read_whole, default=0, metavar="S", help="same seed, same numbers (default: 0)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--out", type=Path, metavar="FILE", help=f"write a {endings} file instead of printing Markdown")
    add_json_option(form)
    add_plugin_option(parser)


def read_probe_inputs(options: argparse.Namespace) -> ProbeInputs:
    """Build the metrics and read the references named by the arguments; a sample keeps the order of the file.

    Raises:
        UsageError: An argument is invalid.
        InputError: The file of references is invalid.
        MetricError: A metric is unknown or cannot be built, or a plugin file is not valid.
    """
    metrics = build_metrics(
        load_plugins(options.plugin), split_ids(options.metrics), params=options.param, device=options.device
    )
    references = read_captions(options.references).group_by_image()
    if options.sample is not None:
        drawn = draw_images(list(references), n=options.sample, seed=options.seed)
        references = {image_id: references[image_id] for image_id in drawn}
    rng = np.random.default_rng(options.seed)
    corpus = read_corpus(options.corpus) if options.corpus else None
    return ProbeInputs(fitted=fit_all(metrics, corpus, rng=rng), references=references, rng=rng)
