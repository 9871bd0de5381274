"""Measures how long each bundled metric takes: `python -m benchmarks.metrics.rates [--all] [ID ...]`.

Without ids, only metrics without a measurement of their present version are measured; `--all` measures all again. The
results stand in `benchmarks/metrics/rates.json`, from which `python -m benchmarks.metrics.table` makes docs/metrics.md.

A segment-level metric scores the first captions of COCO images against the next four of each; a metric of caption
sets scores the five captions of each image, and its references are the captions of the next image. Seconds are those
of one processor (so that what else the machine does counts little) from captions in memory to the last score, with
fitting and tokenising but without imports, in a fresh process and for this metric alone: metrics that run together
share much of it. What takes long is measured on fewer items.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.coco_captions import N_REFERENCES, Images, read_images
from benchmarks.metrics.random_clip import write_random_clip
from metrics_plugins.api import Batch, FitsOn, Input
from metrics_plugins.api.metric import Trainable
from metrics_plugins.runtime import RegisteredMetric, load_registry, run_metric

RATES = Path(__file__).with_suffix(".json")
ITEMS = 10_000
TRIALS = (100, 500, ITEMS)
# A trial that takes longer is the measurement: ten thousand items would take minutes.
LONGEST_TRIAL = 6.0
# Threads that wait for each other would count as work.
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True, slots=True)
class Rate:
    """One measurement.

    Attributes:
        version: Of the metric.
        items: How many rows were scored.
        seconds: How long that took, in seconds of one processor.
    """

    version: str
    items: int
    seconds: float

    @property
    def per_ten_thousand(self) -> float:
        return self.seconds * 10_000 / self.items


def read_rates() -> dict[str, Rate]:
    """Return the measurements by metric id."""
    return {metric: Rate(**rate) for metric, rate in json.loads(RATES.read_text()).items()} if RATES.exists() else {}


def list_bundled() -> list[RegisteredMetric]:
    """Return the metrics that come with Accordance, in order of id."""
    return [each for each in load_registry(strict=True) if each.plugin_module.startswith("metrics_plugins.")]


def make_batch(registration: RegisteredMetric, images: Images) -> Batch:
    """Return the rows that a metric scores."""
    keys = [key for key, _ in images]
    if Input.CAPTION_SET in registration.info.inputs:
        following = [*images[1:], *images[:1]]
        sets = [texts[:5] for _, texts in images]
        return Batch.make(keys, caption_sets=sets, references=[texts[:N_REFERENCES] for _, texts in following])
    references = [texts[1 : 1 + N_REFERENCES] for _, texts in images]
    files = draw_images(len(images)) if Input.IMAGE in registration.info.inputs else None
    return Batch.make(keys, candidates=[texts[0] for _, texts in images], references=references, images=files)


@cache
def draw_images(n_images: int) -> list[Path]:
    """Return as many different image files of 320 by 240; they last as long as this process."""
    from PIL import Image

    folder = Path(_keep_folder("images"))
    rng = np.random.default_rng(0)
    paths = [folder / f"{number}.png" for number in range(n_images)]
    for path in paths:
        rough = Image.fromarray(rng.integers(0, 256, size=(6, 8, 3), dtype=np.uint8))
        rough.resize((320, 240)).save(path)
    return paths


@cache
def write_clip() -> Path:
    """Return a folder with a CLIP as large as ViT-B/32 and random weights; it lasts as long as this process."""
    captions = [caption for _, texts in read_images(2000) for caption in texts]
    return write_random_clip(Path(_keep_folder("clip")), captions=captions, is_tiny=False)


def _keep_folder(name: str) -> str:
    folder = TemporaryDirectory(prefix=name)
    atexit.register(folder.cleanup)
    return folder.name


def learn_before(registration: RegisteredMetric, folder: Path) -> dict[str, Any]:
    """Return the parameters that give a metric what it learned for long, here from a few other images in one pass.

    Its seconds are those of scoring: how long it learned before is not theirs. A metric on CLIP gets a random one.
    """
    if "CLIP weights" in registration.info.resources:
        return {"encoder": str(write_clip())}
    if not issubclass(registration.metric_class, Trainable):
        return {}
    images = [(f"before {key}", texts) for key, texts in read_images(50)]
    quick = {"epochs": 1} if "epochs" in signature(registration.metric_class.build).parameters else {}
    metric = load_registry().build(registration.info.id, **quick)
    if not isinstance(metric, Trainable):
        raise SystemExit(f"{registration.info.id} must be one that learns for long")
    batch = make_batch(registration, images).restrict(registration.info)
    targets = np.linspace(1.0, 5.0, len(batch)) if registration.info.fits_on is FitsOn.JUDGMENTS else None
    metric.train(batch, targets, np.random.default_rng(0), folder=folder)
    return {"weights": str(folder)}


def time_metric(registration: RegisteredMetric, images: Images) -> float:
    """Return the seconds of one processor from captions in memory to the last score."""
    with TemporaryDirectory() as folder:
        return _time_scoring(registration, images, learn_before(registration, Path(folder)))


def _time_scoring(registration: RegisteredMetric, images: Images, params: dict[str, Any]) -> float:
    metric_id = registration.info.id
    start = time.process_time()
    batch = make_batch(registration, images)
    fit_batch = None
    if registration.info.fits_on is FitsOn.CAPTIONS:
        # Other images than those that are scored: their captions under other keys.
        fit_batch = make_batch(registration, [(f"fit {key}", texts) for key, texts in images[::2]])
    run_metric(load_registry().build(metric_id, **params), batch, rng=np.random.default_rng(0), fit_batch=fit_batch)
    return time.process_time() - start


def measure(metric_id: str) -> Rate:
    """Measure one metric, after a first run on a few rows that imports and loads what it needs."""
    registration = load_registry(strict=True).get(metric_id)
    images = read_images(ITEMS)
    time_metric(registration, images[:20])
    n_items, seconds = 0, 0.0
    for size in TRIALS:
        if seconds <= LONGEST_TRIAL:
            n_items, seconds = size, time_metric(registration, images[:size])
    return Rate(version=registration.info.version, items=n_items, seconds=round(seconds, 3))


def list_unmeasured(rates: dict[str, Rate]) -> list[str]:
    """Return the ids of metrics without a measurement of their present version."""
    return [
        each.info.id
        for each in list_bundled()
        if each.info.id not in rates or rates[each.info.id].version != each.info.version
    ]


def update_rates(metric_ids: list[str]) -> None:
    """Measure these metrics, each in a process of its own; keep the others' numbers, forget metrics that are gone."""
    known = {each.info.id for each in list_bundled()}
    rates = {metric: rate for metric, rate in read_rates().items() if metric in known}
    for metric_id in metric_ids:
        command = [sys.executable, "-m", "benchmarks.metrics.rates", "--measure", metric_id]
        finished = subprocess.run(command, env=ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True)
        rates[metric_id] = Rate(**json.loads(finished.stdout.splitlines()[-1]))
        print(f"{metric_id}: {rates[metric_id].per_ten_thousand:.2f} s for 10,000 items", flush=True)
        # At once: a long run that is broken off has not been for nothing.
        _write_rates(rates)


def _write_rates(rates: dict[str, Rate]) -> None:
    document = {metric: asdict(rate) for metric, rate in sorted(rates.items())}
    RATES.write_text(json.dumps(document, indent=1) + "\n")


def main() -> None:
    """Measure what the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("metrics", nargs="*", metavar="ID", help="only these metrics")
    parser.add_argument("--all", action="store_true", help="measure every metric again")
    parser.add_argument("--measure", metavar="ID", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(asdict(measure(arguments.measure))))
        return
    everything = [each.info.id for each in list_bundled()]
    update_rates(arguments.metrics or (everything if arguments.all else list_unmeasured(read_rates())))


if __name__ == "__main__":
    main()
