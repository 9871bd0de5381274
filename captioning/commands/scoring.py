"""`python -m captioning score`: the log-probability that a captioner gives to captions of images."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from captioning.api import Captioner, Images
from captioning.commands.arguments import add_captioner, add_images, find_captioner, load_splits, read_sources
from captioning.readers import read_captioned
from captioning.runtime import load_captioners, run_scores
from captioning.runtime.running import AT_ONCE
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import check_place, write_out
from metrics_plugins.cli.progress import show_progress


def add_score(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.description = (
        "Print a JSON object for each caption: image_id, caption (its tokens), log_probability (natural logarithm, "
        "with the end of the caption), n_steps (words and the end), and mean (of a step)."
    )
    add_captioner(parser)
    parser.add_argument(
        "--captions", default="", metavar="FILE[,FILE]", help="captions of the images, in COCO's JSON, CSV, ..."
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a .jsonl file instead of printing")
    add_images(parser)
    parser.set_defaults(command=_run)


def _run(options: argparse.Namespace) -> int:
    if options.out:
        check_place(options.out, endings=(".jsonl",))
    captioner = find_captioner(options, load_captioners())
    splits = load_splits(options, split="test")
    if splits is None and not options.captions:
        raise UsageError("pass --captions FILE, --worlds SET or --coco")
    if splits is not None and options.captions:
        raise UsageError("--worlds and --coco have captions of their own: leave out --captions")
    data = splits.test if splits else read_captioned(options.captions, read_sources(options))
    rows = [(row, caption) for row, captions in enumerate(data.captions) for caption in captions]
    images, captions = data.images.select([row for row, _ in rows]), [caption for _, caption in rows]
    content = _format(captioner, images, captions)
    if options.out:
        write_out(options.out, content.encode())
    else:
        sys.stdout.write(content)
    return 0


def _format(captioner: Captioner, images: Images, captions: list[str]) -> str:
    lines: list[str] = []
    means: list[float] = []
    starts = range(0, len(images), AT_ONCE)
    for start in show_progress(starts, total=len(starts), label=captioner.info.id):
        part = images.select(range(start, min(start + AT_ONCE, len(images))))
        own = captions[start : start + AT_ONCE]
        scores = run_scores(captioner, part, own)
        means += scores.means.tolist()
        columns = (part.keys, own, scores.log_probabilities.tolist(), scores.n_steps.tolist(), scores.means.tolist())
        for key, caption, value, n_steps, mean in zip(*columns, strict=True):
            record = {"image_id": key, "caption": caption, "log_probability": value, "n_steps": n_steps, "mean": mean}
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    sys.stderr.write(
        f"{len(captions):,} captions; mean log-probability of a step, over captions: {np.mean(means):.4f}\n"
    )
    return "".join(lines)
