"""Trains captioners on the sets of ShapeWorldICE: `python -m benchmarks.captioning.ice --folder FOLDER`.

`show-and-tell` and `lrcn-1u` are trained on each of the six sets (Xie et al. 2019), and the greedy captions of the test
worlds at each validation are measured: truth, grammaticality and diversity ratio, BLEU-4 and SPICE with 10 references.
Finished trainings stay in the folder. The tables and figures of docs/captioning-worlds.md are written.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from benchmarks.captioning.ice_page import FIRST, SECOND, SETS, write_page
from benchmarks.captioning.measuring import measure_captions
from captioning.api import CaptionedImages, Captioner, TrainableCaptioner
from captioning.data.splits import Splits
from captioning.data.worlds import load_worlds
from captioning.runtime import CaptionerContext, load_captioners

NAMES: Final[Mapping[str, str]] = {
    "truth": "gtd-truthful",
    "grammar": "gtd-grammatical",
    "diversity": "gtd-diversity",
    "bleu_4": "bleu-4",
}
"""A measure of the training curve, and the metric that it is."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The numbers of worlds and steps, the sizes of the network, and the seed."""

    n_train: int = 20_000
    n_test: int = 500
    steps: int = 4_000
    validate_every: int = 400
    batch_size: int = 64
    hidden: int = 128
    channels: str = "16-32-64-64"
    seed: int = 1

    @classmethod
    def make(cls, steps: int) -> Self:
        """Return the sizes with a number of steps and ten validations."""
        return cls(steps=steps, validate_every=max(1, steps // 10))


def make_parser(description: str) -> argparse.ArgumentParser:
    """Return the parser of a script that trains on sets of worlds, by the first line of its docstring."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True, help="where worlds, trainings and results stay")
    parser.add_argument("--steps", type=int, default=Sizes.steps, help=f"steps of a training (default: {Sizes.steps})")
    parser.add_argument("--device", default="cpu", help="the device of tensors (default: cpu)")
    return parser


def main() -> int:
    """Train, measure, and write the page."""
    parser = make_parser(__doc__ or "")
    parser.add_argument("--processes", type=int, default=2, help="trainings at a time, each on one core (default: 2)")
    chosen = parser.parse_args()
    sizes = Sizes.make(chosen.steps)
    for name in SETS:
        load_set(name, sizes, chosen.folder)
    pairs = list(product(SETS, (FIRST, SECOND)))
    with ProcessPoolExecutor(chosen.processes, mp_context=get_context("spawn")) as executor:
        waiting = [executor.submit(_run, *pair, sizes, chosen.folder, chosen.device) for pair in pairs]
        found = {pair: each.result() for pair, each in zip(pairs, waiting, strict=True)}
    report = {
        "settings": asdict(sizes),
        "minutes": sum(each["seconds"] for each in found.values()) / 60,
        "results": {
            name: {captioner: found[name, captioner]["curve"] for captioner in (FIRST, SECOND)} for name in SETS
        },
    }
    (chosen.folder / "report.json").write_text(json.dumps(report, indent=1))
    write_page(report)
    return 0


def load_set(name: str, sizes: Sizes, folder: Path) -> Splits:
    """Return the worlds of a set; they are made if the folder does not have them."""
    return load_worlds(
        name, folder=folder / "worlds", n_train=sizes.n_train, n_validation=sizes.n_test, n_test=sizes.n_test
    )


def _run(name: str, captioner: str, sizes: Sizes, folder: Path, device: str) -> dict[str, Any]:
    """Return the curve of a captioner on a set; it is read if it was computed before."""
    own = find_training(name, captioner, sizes, folder)
    path = own / "measured.json"
    if path.is_file():
        found: dict[str, Any] = json.loads(path.read_text())
        return found
    data = load_set(name, sizes, folder)
    started = time.perf_counter()
    train_on_set(data, captioner, sizes, own, device=device)
    measured = {"curve": _measure(own, data.test), "seconds": time.perf_counter() - started}
    path.write_text(json.dumps(measured, indent=1))
    sys.stderr.write(f"{name}, {captioner}: {measured['seconds'] / 60:.1f} minutes, {measured['curve'][-1]}\n")
    return measured


def find_training(name: str, captioner: str, sizes: Sizes, folder: Path) -> Path:
    """Return the folder of a captioner's training on a set."""
    return folder / f"{name}-{captioner}-{sizes.steps}"


def train_on_set(
    data: Splits,
    captioner: str,
    sizes: Sizes,
    folder: Path,
    *,
    device: str,
    settings: Mapping[str, object] | None = None,
) -> Captioner:
    """Train a captioner on a set of worlds, or read it if that was done before.

    Nothing is chosen by validation, so that the test worlds can be measured during training.

    Args:
        data: The set.
        captioner: The id of a captioner with a network.
        sizes: Of network and training.
        folder: Of the training.
        device: Of tensors.
        settings: Changes of the settings of training.
    """
    registered = load_captioners().get(captioner).captioner_class
    assert issubclass(registered, TrainableCaptioner)  # noqa: S101 - it is one of ours
    common = {
        "hidden": sizes.hidden,
        "embedding": sizes.hidden // 2,
        "channels": sizes.channels,
        "batch_size": sizes.batch_size,
        "steps": sizes.steps,
        "validate_every": sizes.validate_every,
        "validation_samples": 0,
        "keep_captions": True,
        "threads": 1,
    }
    return registered.train(
        data.train,
        data.test,
        folder=folder,
        rng=np.random.default_rng(sizes.seed),
        context=CaptionerContext(device),
        settings=common | dict(settings or {}),
    )


def _measure(folder: Path, test: CaptionedImages) -> list[dict[str, float]]:
    """Return the points of the training curve after the first, with SPICE of the captions kept at each."""
    points = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()][1:]
    kept = [json.loads((folder / f"captions-{point['total_step']}.json").read_text()) for point in points]
    spice = [measure_captions([each["caption"] for each in lines], test, metrics=["spice"])["spice"] for lines in kept]
    return [
        {"step": point["total_step"], "loss": point["loss"], "spice": score}
        | {metric: point[name] or 0.0 for name, metric in NAMES.items()}
        for point, score in zip(points, spice, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(main())
