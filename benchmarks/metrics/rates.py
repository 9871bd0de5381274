"""Measures the speed of each bundled metric: `python -m benchmarks.metrics.rates [--all] [--startup] [ID ...]`.

Without ids, only metrics without a measurement of their current version are measured; `--all` measures all again, and
`--startup` only the time that a new process needs for imports and loading, keeping the speeds. The results are in
`metrics_plugins/runtime/rates.json`, from which `python -m benchmarks.metrics.table` generates docs/metrics.md.

A segment-level metric scores the first captions of COCO images against the next four of each; a metric of caption sets
scores the five captions of each image, with the captions of the next image as references; a metric of worlds scores
captions of generated worlds. Seconds are CPU time of one thread (so that other work on the machine hardly matters) from
captions in memory to the last score, including fitting and tokenising but not imports, in a new process and for this
metric only: metrics that run together share much of this work. Slow metrics are measured on fewer items. What the first
rows take beyond this is the start-up.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.coco_captions import N_REFERENCES, Images, read_images
from benchmarks.metrics.random_clip import write_random_clip
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.instances import make_instance
from captioning.worlds.specs import find_spec
from metrics_plugins.api import Batch, FitsOn, Input
from metrics_plugins.api.metric import Trainable
from metrics_plugins.encoders.weights import CLIP
from metrics_plugins.runtime import RegisteredMetric, load_registry, run_metric
from metrics_plugins.runtime.rates import RATES, Rate, find_rate, read_rates

ITEMS = 10_000
TRIALS = (100, 500, ITEMS)
N_FIRST = 20
# If the trial takes longer, it is used as the measurement, because ten thousand items would take minutes.
LONGEST_TRIAL = 6.0
# Time that threads spend waiting for each other would count as CPU time.
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def list_bundled() -> list[RegisteredMetric]:
    """Return the metrics that are part of Accordance, in order of id."""
    return [each for each in load_registry(strict=True) if each.plugin_module.startswith("metrics_plugins.")]


def make_batch(registration: RegisteredMetric, images: Images) -> Batch:
    """Return the rows to be scored by a metric."""
    keys = [key for key, _ in images]
    if Input.WORLD in registration.info.inputs:
        return _describe_worlds(keys)
    if Input.CAPTION_SET in registration.info.inputs:
        following = [*images[1:], *images[:1]]
        sets = [texts[:5] for _, texts in images]
        return Batch.make(keys, caption_sets=sets, references=[texts[:N_REFERENCES] for _, texts in following])
    references = [texts[1 : 1 + N_REFERENCES] for _, texts in images]
    files = draw_images(len(images)) if Input.IMAGE in registration.info.inputs else None
    return Batch.make(keys, candidates=[texts[0] for _, texts in images], references=references, images=files)


def _describe_worlds(keys: Sequence[str]) -> Batch:
    """Return captions of generated worlds, each with four others of its world as references."""
    rows = _make_worlds(-(-len(keys) // 5))[: len(keys)]
    return Batch.make(
        keys,
        candidates=[captions[place] for _, captions, place in rows],
        references=[(*captions[:place], *captions[place + 1 :]) for _, captions, place in rows],
        worlds=[world for world, _, _ in rows],
    )


@cache
def _make_worlds(n_worlds: int) -> list[tuple[GroundedWorld, tuple[str, ...], int]]:
    spec = find_spec("spatial-multishapes")
    rows = []
    for index in range(n_worlds):
        instance = make_instance(spec, split="test", index=index, n_captions=5)
        captions = tuple(caption.text for caption in instance.captions)
        rows += [(GroundedWorld(instance.world), captions, place) for place in range(len(captions))]
    return rows


@cache
def draw_images(n_images: int) -> list[Path]:
    """Return this many distinct image files of 320 by 240 pixels, which are deleted when this process ends."""
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
    """Return a folder with a CLIP model of the size of ViT-B/32 and random weights, deleted when this process ends."""
    captions = [caption for _, texts in read_images(2000) for caption in texts]
    return write_random_clip(Path(_keep_folder("clip")), captions=captions, is_tiny=False)


def _keep_folder(name: str) -> str:
    folder = TemporaryDirectory(prefix=name)
    atexit.register(folder.cleanup)
    return folder.name


def learn_before(registration: RegisteredMetric, folder: Path) -> dict[str, Any]:
    """Return the parameters with trained weights, for metrics that need training: one epoch on a few other images.

    Only scoring is timed, not this training. Metrics with CLIP get random weights.
    """
    if CLIP in registration.info.resources:
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
    """Return the CPU seconds from captions in memory to the last score."""
    with TemporaryDirectory() as folder:
        return _time_scoring(registration, images, learn_before(registration, Path(folder)))


def _time_scoring(registration: RegisteredMetric, images: Images, params: dict[str, Any]) -> float:
    metric_id = registration.info.id
    if Input.WORLD in registration.info.inputs:
        _make_worlds(-(-len(images) // 5))
    start = time.process_time()
    batch = make_batch(registration, images)
    fit_batch = None
    if registration.info.fits_on is FitsOn.CAPTIONS:
        # The same captions under other keys, as other images than those scored.
        fit_batch = make_batch(registration, [(f"fit {key}", texts) for key, texts in images[::2]])
    run_metric(load_registry().build(metric_id, **params), batch, rng=np.random.default_rng(0), fit_batch=fit_batch)
    return time.process_time() - start


def measure(metric_id: str) -> Rate:
    """Measure a metric in a new process: a first run on a few rows for imports and loading, then its speed."""
    registration = load_registry(strict=True).get(metric_id)
    images = read_images(ITEMS)
    first = time_metric(registration, images[:N_FIRST])
    n_items, seconds = 0, 0.0
    for size in TRIALS:
        if seconds <= LONGEST_TRIAL:
            n_items, seconds = size, time_metric(registration, images[:size])
    rate = Rate(version=registration.info.version, items=n_items, seconds=round(seconds, 3))
    return add_startup(rate, first=first)


def measure_startup(metric_id: str) -> Rate:
    """Return the known speed of a metric with a newly measured start-up, in a new process.

    Raises:
        SystemExit: The speed of this version is unknown.
    """
    registration = load_registry(strict=True).get(metric_id)
    rate = find_rate(registration.info)
    if rate is None:
        raise SystemExit(f"{metric_id}: measure its speed first, without --startup")
    return add_startup(rate, first=time_metric(registration, read_images(N_FIRST)))


def add_startup(rate: Rate, *, first: float) -> Rate:
    """Return the measurement with the start-up: what the first `N_FIRST` rows took, less what such rows take later.

    >>> add_startup(Rate(version="1", items=1000, seconds=10.0), first=3.2).startup
    3.0
    """
    return replace(rate, startup=round(max(0.0, first - N_FIRST * rate.seconds / rate.items), 2))


def list_unmeasured(rates: dict[str, Rate]) -> list[str]:
    """Return the ids of metrics without a measurement of their current version."""
    return [
        each.info.id
        for each in list_bundled()
        if each.info.id not in rates or rates[each.info.id].version != each.info.version
    ]


def update_rates(metric_ids: list[str], *, only_startup: bool = False) -> None:
    """Measure these metrics in separate processes; keep the results of others, and remove metrics that do not exist."""
    known = {each.info.id for each in list_bundled()}
    rates = {metric: rate for metric, rate in read_rates().items() if metric in known}
    for metric_id in metric_ids:
        command = [sys.executable, "-m", "benchmarks.metrics.rates", "--measure", metric_id]
        command += ["--startup"] if only_startup else []
        finished = subprocess.run(command, env=ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True)
        rates[metric_id] = Rate(**json.loads(finished.stdout.splitlines()[-1]))
        rate = rates[metric_id]
        print(f"{metric_id}: {rate.per_ten_thousand:.2f} s for 10,000 items, start-up {rate.startup:.2f} s", flush=True)
        # Write each result immediately, so that an interrupted run keeps them.
        _write_rates(rates)


def _write_rates(rates: dict[str, Rate]) -> None:
    document = {metric: asdict(rate) for metric, rate in sorted(rates.items())}
    RATES.write_text(json.dumps(document, indent=1) + "\n")


def main() -> None:
    """Measure the metrics given by the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("metrics", nargs="*", metavar="ID", help="only these metrics")
    parser.add_argument("--all", action="store_true", help="measure every metric again")
    parser.add_argument("--startup", action="store_true", help="only the start-up; known speeds are kept")
    parser.add_argument("--measure", metavar="ID", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        found = measure_startup(arguments.measure) if arguments.startup else measure(arguments.measure)
        print(json.dumps(asdict(found)))
        return
    everything = [each.info.id for each in list_bundled()]
    chosen = everything if arguments.all else list_unmeasured(read_rates())
    update_rates(arguments.metrics or chosen, only_startup=arguments.startup)


if __name__ == "__main__":
    main()
