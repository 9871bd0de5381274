"""`python -m captioning train`: train a captioner on captioned images and save it in a folder."""

import argparse
import sys
from pathlib import Path

import numpy as np

from captioning.api import CaptionedImages
from captioning.commands.arguments import add_computing, add_images, load_splits, parse_settings, read_sources
from captioning.readers import read_captioned
from captioning.runtime import load_captioners
from captioning.runtime.records import make_record
from captioning.runtime.trained import is_first_process, train_captioner
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.progress import show_progress


def add_train(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Train a captioner on images with captions, and save it in a folder for `caption` and `score`. The same "
        "command continues an interrupted training."
    )
    parser.add_argument("--captioner", required=True, metavar="ID", help="as `list` prints it")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the captioner is saved")
    parser.add_argument(
        "--captions",
        default="",
        metavar="FILE[,FILE]",
        help="captions of the training images, in COCO's JSON, CSV, ...",
    )
    parser.add_argument(
        "--validation",
        default="",
        metavar="FILE[,FILE]",
        help="captions of other images (default: a tenth of the images of --captions, drawn by the seed)",
    )
    parser.add_argument(
        "--setting", action="append", default=[], metavar="NAME=VALUE", help="a setting of the captioner's training"
    )
    parser.add_argument("--note", default="", help="a remark that is printed beside every result of the captioner")
    add_images(parser)
    add_computing(parser)
    parser.set_defaults(command=_run, kept="the last checkpoint is kept, and the same command continues from it")


def _run(options: argparse.Namespace) -> int:
    registry = load_captioners()
    registry.get(options.captioner)
    if options.out.exists() and not options.out.is_dir():
        raise UsageError(f"--out must be a folder, got the file {options.out}")
    settings = parse_settings(options.setting)
    data, validation = _read_data(options)
    sys.stderr.write(
        f"{len(data):,} training images with {sum(map(len, data.captions)):,} captions, {len(validation):,} validation "
        f"images{f' ({data.note})' if data.note else ''}\n"
    )
    try:
        trained = train_captioner(
            registry,
            options.captioner,
            data,
            validation,
            folder=options.out,
            seed=options.seed,
            device=options.device,
            settings=settings,
            track=show_progress,
        )
    except OSError as error:
        raise UsageError(f"--out {options.out} cannot be written: {error.strerror or error}") from error
    if is_first_process():
        sys.stdout.write(f"{make_record(trained, n=1, decoding=None, seed=options.seed, folder=options.out)}\n")
        sys.stderr.write(f"trained; to use it: --folder {options.out}\n")
    return 0


def _read_data(options: argparse.Namespace) -> tuple[CaptionedImages, CaptionedImages]:
    splits = load_splits(options, split="train")
    if splits is not None:
        if options.captions or options.validation:
            raise UsageError("--worlds and --coco have captions of their own: leave out --captions and --validation")
        return splits.train, splits.validation
    if not options.captions:
        raise UsageError("pass --captions FILE, --worlds SET or --coco")
    sources = read_sources(options)
    data = read_captioned(options.captions, sources, note=options.note)
    if options.validation:
        validation = read_captioned(options.validation, sources, note=options.note)
        shared = sorted(set(data.images.keys) & set(validation.images.keys))
        if shared:
            raise UsageError(
                f"--validation must have other images than --captions, got {len(shared)} of them again, such as "
                f"{shared[0]!r}"
            )
        return data, validation
    if len(data) < 2:
        raise UsageError(f"--captions must have at least two images if --validation is not given, got {len(data)}")
    # A separate generator, so that the split depends only on the seed and the number of images.
    order = np.random.default_rng(options.seed).permutation(len(data))
    n_validation = max(len(data) // 10, 1)
    return data.select(np.sort(order[n_validation:])), data.select(np.sort(order[:n_validation]))
