"""Train in a folder: `python -m tests.captioning.training.resuming FOLDER`, for tests that kill or join processes."""

import sys
import time
from pathlib import Path

import numpy as np

from captioning.captioners.neural import LrcnCaptioner, NeuralCaptioner
from captioning.runtime.registry import CaptionerContext
from tests.captioning.training.samples import SMALL, make_data

SETTINGS = {
    **SMALL,
    "steps": 12,
    "dropout": 0.3,
    "objective": "xe-scst",
    "objective_steps": 12,
    "n_samples": 2,
    "validate_every": 3,
    "validation_samples": 2,
    "validation_images": 2,
    "selection": "cider",
    "decay_epochs": 1,
}


def train(
    folder: Path, *, captioner: type[NeuralCaptioner] = LrcnCaptioner, pause: float = 0.0, **settings: object
) -> NeuralCaptioner:
    """Train with a pause before each step, so that another process can end this one between steps."""

    def track(steps, *, total, label):
        for step in steps:
            time.sleep(pause)
            print(label, step, flush=True)  # noqa: T201
            yield step

    return captioner.train(
        make_data(),
        make_data(6, seed=1),
        folder=folder,
        rng=np.random.default_rng(0),
        context=CaptionerContext("cpu"),
        settings={**SETTINGS, **settings},
        track=track,
    )


if __name__ == "__main__":
    train(Path(sys.argv[1]), pause=float(sys.argv[2]))
