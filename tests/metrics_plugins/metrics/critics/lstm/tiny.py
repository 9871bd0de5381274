"""Small captions for training critics, and small critics."""

import itertools
from pathlib import Path
from typing import Any, Self

import numpy as np

from metrics_plugins.api import Batch, BuildContext
from metrics_plugins.metrics.critics.lstm.metric import CriticLstm
from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.runtime import load_registry

WHO = ("a dog", "two men", "an old woman", "a red bus", "the child", "some birds", "a cat", "three horses")
DOES = ("runs", "is waiting", "sits", "stands")
WHERE = ("on the beach", "in the street", "near a tree", "on a field")

SMALL: dict[str, Any] = {
    "vectors": "random",
    "dimension": 6,
    "hidden": 8,
    "pooled": 64,
    "epochs": 3,
    "images": 5,
    "rate": 0.01,
}


class SmallCritic(CriticLstm):
    """The critic with small defaults, so that every clause can be tried on it."""

    @classmethod
    def build(
        cls, context: BuildContext, *, weights: str = "", epochs: int = 2, hidden: int = 8, rate: float = 0.01
    ) -> Self:
        own = {} if weights else SMALL | {"epochs": epochs, "hidden": hidden, "rate": rate}
        return super().build(context, weights=weights, **own)


def make_batch(n_images: int = 24, *, first: int = 0, with_machines: bool = True) -> Batch:
    """Return images with three human captions each, and a machine caption that is always of the same words."""
    scenes = list(itertools.islice(itertools.cycle(itertools.product(WHO, DOES, WHERE)), first, first + n_images))
    references = [(f"{who} {does} {where}", f"{where} {who} {does}.", f"{who} {where}") for who, does, where in scenes]
    machines = [f"{who} on a table" for who, _, _ in scenes]
    keys = [f"image {number}" for number in range(first, first + n_images)]
    candidates = machines if with_machines else [captions[0] for captions in references]
    return Batch.make(keys, candidates=candidates, references=references)


def make_captions(n_images: int = 24) -> TrainingCaptions:
    """Return those captions as they are learned from."""
    return TrainingCaptions.gather(make_batch(n_images), load_registry().get_tokenizer("nltk-words"))


def build(**params: Any) -> CriticLstm:
    """Return a small critic that has not learned, or one with the weights of a folder."""
    chosen = params if "weights" in params else SMALL | params
    metric = load_registry().build("critic-lstm", **chosen)
    assert isinstance(metric, CriticLstm)
    return metric


def train(folder: Path, *, seed: int = 0, n_images: int = 24, **params: Any) -> Any:
    """Return a small critic that learned in a folder."""
    return build(**params).train(make_batch(n_images), None, np.random.default_rng(seed), folder=folder)
