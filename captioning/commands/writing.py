"""`python -m captioning caption`: write captions of images, as a file of COCO's results."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from captioning.api import CaptionBatch, Decoding
from captioning.commands.arguments import add_captioner, add_images, find_captioner, load_splits, read_sources
from captioning.readers import read_images
from captioning.runtime import load_captioners, run_captioner
from captioning.runtime.records import make_record
from metrics_plugins.cli.arguments.counts import read_count
from metrics_plugins.cli.output import check_place, write_out
from metrics_plugins.cli.progress import show_progress
from metrics_plugins.text.csv_lines import format_csv


def add_caption(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Write captions of images as COCO's results: a list of objects with image_id and caption, one for each "
        "caption. What they depend on is printed to standard error."
    )
    add_captioner(parser)
    parser.add_argument(
        "--decoding",
        type=str,
        default="",
        metavar="METHOD,NAME=VALUE",
        help="greedy, beam, sample or diverse-beam with settings, such as sample,temperature=0.7 (default: greedy, "
        "with as many words at most as in training)",
    )
    parser.add_argument("-n", type=read_count, default=1, help="captions of an image (default: 1)")
    parser.add_argument("--allow-empty", action="store_true", help="write captions without a word instead of refusing")
    parser.add_argument("--log-probabilities", action="store_true", help="add the field log_probability")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="write a .json file instead of printing, or a .csv file of items for `manage.py create_study`",
    )
    parser.add_argument("--system", default="", metavar="NAME", help="the system in a .csv file (default: the id)")
    add_images(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    if options.out:
        check_place(options.out, endings=(".json", ".csv"))
    decoding = Decoding.parse(options.decoding) if options.decoding else None
    captioner = find_captioner(options, load_captioners())
    splits = load_splits(options, split="test")
    images = splits.test.images if splits else read_images(read_sources(options))
    rng = np.random.default_rng(options.seed)
    batch = run_captioner(
        captioner,
        images,
        n=options.n,
        decoding=decoding,
        rng=rng,
        allow_empty=options.allow_empty,
        track=show_progress,
    )
    if options.out and options.out.suffix == ".csv":
        write_out(options.out, format_items(batch, system=options.system or captioner.info.id))
    elif options.out:
        write_out(options.out, format_results(batch, log_probabilities=options.log_probabilities))
    else:
        sys.stdout.write(format_results(batch, log_probabilities=options.log_probabilities).decode())
    record = make_record(captioner, n=options.n, decoding=decoding, seed=options.seed, folder=options.folder)
    sys.stderr.write(f"{len(batch):,} images captioned by {record}\n")
    return 0


def format_results(batch: CaptionBatch, *, log_probabilities: bool = False) -> bytes:
    """Return captions as COCO's results; a key that is a whole number becomes one."""
    records: list[dict[str, object]] = []
    for key, row, values in zip(batch.keys, batch.captions, batch.log_probabilities.tolist(), strict=True):
        image_id = int(key) if key.isdecimal() and str(int(key)) == key else key
        for caption, value in zip(row, values, strict=True):
            record: dict[str, object] = {"image_id": image_id, "caption": caption}
            if log_probabilities:
                # JSON has no NaN.
                record["log_probability"] = None if np.isnan(value) else value
            records.append(record)
    lines = ",\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    return f"[\n{lines}\n]\n".encode()


def format_items(batch: CaptionBatch, *, system: str) -> bytes:
    """Return captions as items of a new study, one to be judged for each caption."""
    rows = ((key, system, caption) for key, row in zip(batch.keys, batch.captions, strict=True) for caption in row)
    return format_csv(("image", "system", "candidate"), rows).encode()
