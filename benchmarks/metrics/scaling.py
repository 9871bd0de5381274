"""Measures how metrics scale with size: `python -m benchmarks.metrics.scaling [--json] [--sizes A,B] [ID ...]`.

Sizes double from 10,000 to 80,000 candidates with four references each, which are real captions of COCO. Each
segment-level metric runs alone in a new process, one size after the other, including tokenising and fitting but not
imports. Seconds are CPU time; the ratio is to the previous size, so 2 is linear.

In each process twenty rows of the largest batch are scored again in batches of one; the exit status is 1 if a score is
not exactly equal, or if a ratio is above 2.5.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.coco_captions import read_images
from benchmarks.metrics.rates import ONE_THREAD, list_bundled, make_batch
from metrics_plugins.api import FitsOn, Fittable, Input, Level, Metric
from metrics_plugins.runtime import fit_metric, load_registry

SIZES = (10_000, 20_000, 40_000, 80_000)
N_ALONE = 20
STEEPEST = 2.5


def list_segment_metrics() -> list[str]:
    """Return the ids of the bundled metrics that score single captions, except those fitted on judgments."""
    return [
        each.info.id
        for each in list_bundled()
        if each.info.level is Level.SEGMENT
        and not each.info.inputs & {Input.IMAGE, Input.WORLD}
        and each.info.fits_on is not FitsOn.JUDGMENTS
    ]


def measure(metric_id: str, sizes: list[int]) -> dict[str, Any]:
    """Return the seconds for each size, and whether rows of the largest batch have equal scores in batches of one."""
    registration = load_registry(strict=True).get(metric_id)
    images = read_images(sizes[-1])
    _score(metric_id, images[:20])
    seconds = []
    for size in sizes:
        start = time.process_time()
        metric, scores = _score(metric_id, images[:size])
        seconds.append(round(time.process_time() - start, 3))
    rows = np.linspace(0, sizes[-1] - 1, N_ALONE).astype(int)
    alone = [metric.score(make_batch(registration, [images[row]]).restrict(metric.info)).values[0] for row in rows]
    same = np.array_equal(np.array(alone).view(np.int64), scores[rows].view(np.int64))
    return {"metric": metric_id, "family": registration.plugin, "sizes": sizes, "seconds": seconds, "same": bool(same)}


def _score(metric_id: str, images: list[tuple[str, list[str]]]) -> tuple[Metric, np.ndarray]:
    registration = load_registry(strict=True).get(metric_id)
    batch = make_batch(registration, images)
    metric = load_registry().build(metric_id)
    if isinstance(metric, Fittable):
        metric = fit_metric(metric, batch, rng=np.random.default_rng(0))
    return metric, metric.score(batch.restrict(metric.info)).values


def run(metric_ids: list[str], sizes: list[int], *, quiet: bool) -> list[dict[str, Any]]:
    """Measure each metric in a separate process; return a row for each."""
    rows = []
    for metric_id in metric_ids:
        command = [
            sys.executable,
            "-m",
            "benchmarks.metrics.scaling",
            "--measure",
            "--sizes",
            ",".join(map(str, sizes)),
        ]
        finished = subprocess.run([*command, metric_id], env=ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True)
        row = json.loads(finished.stdout.splitlines()[-1])
        seconds = row["seconds"]
        row["ratios"] = [round(after / before, 2) for before, after in pairwise(seconds)]
        rows.append(row)
        if not quiet:
            print(_format(row), flush=True)
    return rows


def _format(row: dict[str, Any]) -> str:
    cells = [f"`{row['metric']}`", f"{row['seconds'][0]:.2f}"]
    cells += [f"{after:.2f} ({ratio:.2f})" for after, ratio in zip(row["seconds"][1:], row["ratios"], strict=True)]
    return f"| {' | '.join([*cells, 'yes' if row['same'] else 'NO'])} |"


def main() -> int:
    """Print the rows; return 1 if a ratio is too large, or scores differ between batches of one and the largest."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("metrics", nargs="*", metavar="ID", help="only these metrics")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="rows, separated by commas")
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    if arguments.measure:
        print(json.dumps(measure(arguments.metrics[0], sizes)))
        return 0
    if not arguments.json:
        print(f"| metric | {' | '.join(f'{size:,}' for size in sizes)} | a row alone scores the same |")
        print(f"|{' --- |' * (len(sizes) + 2)}")
    rows = run(arguments.metrics or list_segment_metrics(), sizes, quiet=arguments.json)
    if arguments.json:
        print(json.dumps(rows, indent=1))
    return int(any(not row["same"] or max(row["ratios"], default=0.0) > STEEPEST for row in rows))


if __name__ == "__main__":
    sys.exit(main())
