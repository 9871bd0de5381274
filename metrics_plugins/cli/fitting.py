"""`fit`: train a metric on files of captions and save it in a folder."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from metrics_plugins.api import Batch, FitsOn, Metric, MetricError
from metrics_plugins.api.metric import Trainable
from metrics_plugins.api.scores import Values
from metrics_plugins.cli.arguments.building import build_metrics
from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.inputs import draw_images
from metrics_plugins.cli.output import add_json_option
from metrics_plugins.cli.plugins import add_plugin_option, load_plugins
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.readers import read_corpus, read_judgments
from metrics_plugins.readers.text import read_text
from metrics_plugins.runtime.printing import printing_to_stderr

Captions = Mapping[str, tuple[str, ...]]


def add_fit(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("metric", metavar="METRIC", help="a metric that takes long to train, such as critic-lstm")
    parser.add_argument(
        "--data", required=True, metavar="FILE[,FILE]", help="captions by people, as --corpus of `score`"
    )
    parser.add_argument("--machine", default="", metavar="FILE[,FILE]", help="captions of the same images by machines")
    parser.add_argument(
        "--judged", type=Path, metavar="FILE", help="judged captions (image_id, caption, judgment) to learn from"
    )
    parser.add_argument(
        "--without", action="append", default=[], metavar="FILE", help="a file of image ids to leave out, one per line"
    )
    parser.add_argument("--sample", type=read_count, metavar="N", help="learn from N images, sampled with the seed")
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder of the trained metric")
    parser.add_argument("--param", action="append", default=[], metavar="METRIC.NAME=VALUE", help="as for `score`")
    parser.add_argument(
        "--device", default="auto", help="cpu, cuda, cuda:1, mps, or auto: the first of CUDA, MPS, CPU (default: auto)"
    )
    parser.add_argument(
        "--seed", type=read_whole, default=0, metavar="S", help="equal seeds give equal results (default: 0)"
    )
    add_json_option(parser)
    add_plugin_option(parser)
    parser.set_defaults(command=_run, kept="the last checkpoint is kept, and the same command continues from it")


def _run(options: argparse.Namespace) -> int:
    if options.out.exists() and not options.out.is_dir():
        raise UsageError(f"--out must be a folder, got the file {options.out}")
    (built,) = build_metrics(
        load_plugins(options.plugin), [options.metric], params=options.param, device=options.device
    )
    metric = built.get_trainable() if isinstance(built, Metric) else built
    if not isinstance(metric, Trainable):
        raise UsageError(f"metric {options.metric!r} needs no separate training: `score` fits it if needed")
    batch, targets = _LEARNED_FROM[_find_kind(metric, options)](options)
    fitted = _train(metric, batch, targets, options)
    signature = str(fitted.signature)
    if options.json:
        found = {"metric": options.metric, "signature": signature, "folder": str(options.out)}
        sys.stdout.write(json.dumps(found) + "\n")
    else:
        sys.stdout.write(f"{signature}\n")
    sys.stderr.write(f"trained; to score with it: --param {options.metric}.weights={options.out}\n")
    return 0


def _find_kind(metric: Trainable, options: argparse.Namespace) -> FitsOn:
    kind = metric.info.fits_on
    if kind not in _LEARNED_FROM:
        raise UsageError(f"metric {options.metric!r} learns from {kind}, not from files of captions")
    if kind is FitsOn.JUDGMENTS and (options.judged is None or options.machine):
        raise UsageError(f"metric {options.metric!r} learns from judgments: pass --judged FILE, and no --machine")
    if kind is not FitsOn.JUDGMENTS and options.judged is not None:
        raise UsageError(
            f"metric {options.metric!r} learns from {kind}: --judged is for metrics that learn from judgments"
        )
    return kind


def _read_captions(options: argparse.Namespace) -> tuple[Batch, Values | None]:
    humans = _choose_images(read_corpus(options.data).captions, options)
    machines = read_corpus(options.machine).captions if options.machine else {}
    sys.stderr.write(
        f"{len(humans):,} images, {sum(map(len, humans.values())):,} human captions, "
        f"{sum(len(machines.get(image, ())) for image in humans):,} machine captions\n"
    )
    return make_batch(humans, machines), None


def _read_judged(options: argparse.Namespace) -> tuple[Batch, Values | None]:
    judged = read_judgments(options.judged)
    references = read_corpus(options.data).captions
    wanted = {image: references.get(image, ()) for image, _ in judged.judgments}
    kept = _choose_images(wanted, options)
    rows = judged.make_rows(references, without=wanted.keys() - kept.keys())
    sys.stderr.write(f"{len(kept):,} images, {len(rows.batch):,} judged captions\n")
    return rows.batch, rows.targets


_LEARNED_FROM: Final[Mapping[FitsOn, Callable[[argparse.Namespace], tuple[Batch, Values | None]]]] = {
    FitsOn.CAPTIONS: _read_captions,
    FitsOn.JUDGMENTS: _read_judged,
}


@printing_to_stderr
def _train(metric: Trainable, batch: Batch, targets: Values | None, options: argparse.Namespace) -> Metric:
    rng = np.random.default_rng(options.seed)
    try:
        return metric.train(batch.restrict(metric.info), targets, rng, folder=options.out, track=show_progress)
    except MetricError:
        raise
    except OSError as error:
        raise UsageError(f"--out {options.out} cannot be written: {error.strerror or error}") from error
    except Exception as error:
        raise MetricError(f"metric {metric.info.id!r} fails: {type(error).__name__}: {error}") from error


def make_batch(humans: Captions, machines: Captions) -> Batch:
    """Return the training rows: one per machine caption, with the human captions of its image as references.

    An image without a machine caption has a row with a human caption as candidate.
    """
    rows = [(image, caption) for image, own in humans.items() for caption in machines.get(image) or own[:1]]
    return Batch.make(
        [image for image, _ in rows],
        candidates=[caption for _, caption in rows],
        references=[humans[image] for image, _ in rows],
    )


def _choose_images(captions: Captions, options: argparse.Namespace) -> Captions:
    left_out = {line.strip() for path in options.without for line in read_text(Path(path)).split("\n")}
    ids = [image for image in captions if image not in left_out]
    if not ids:
        raise UsageError(f"--without leaves none of the {len(captions)} images of --data")
    if options.sample is not None:
        ids = draw_images(ids, n=options.sample, seed=options.seed)
    return {image: captions[image] for image in ids}
