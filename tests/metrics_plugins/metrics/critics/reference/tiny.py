"""Small captions for training heads, with a transformer of random weights."""

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.progress import pass_on
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.metrics.critics.reference.heads import Head
from metrics_plugins.metrics.critics.reference.learning import CaptionGroups, learn_head
from metrics_plugins.metrics.critics.reference.metric import CriticReference, CriticReferenceLearner
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.encoders.tiny import open_shared_folder

SMALL: dict[str, Any] = {"token_images": 12, "steps": 5, "seeds": 4, "near": 2, "neighbours": 5, "altered": True}


def make_batch(n_images: int = 16) -> Batch:
    """Return images with three captions each."""
    scenes = list(itertools.product(("dog", "cat"), ("runs", "sleeps"), ("red", "two"), ("the", "a")))[:n_images]
    references = [
        (f"{article} {colour} {who} {does}", f"{who} {does} on grass", f"{article} {who} on {colour} grass")
        for who, does, colour, article in scenes
    ]
    keys = [f"image {number}" for number in range(len(scenes))]
    return Batch.make(keys, candidates=[captions[0] for captions in references], references=references)


def make_groups() -> CaptionGroups:
    """Return those captions as they are learned from."""
    return CaptionGroups.gather(make_batch())


def open_encoder() -> TokenEncoder:
    """Return the encoder of random weights."""
    encoder = load_registry().get_encoder(str(open_shared_folder()))
    assert isinstance(encoder, TokenEncoder)
    return encoder


def learn(*, seed: int = 0, **changes: Any) -> Head:
    """Return a small head."""
    settings = CriticReferenceSettings(**SMALL | changes)
    return learn_head(make_groups(), open_encoder(), settings, seed=seed, device="cpu", track=pass_on)


def build(**params: Any) -> CriticReference:
    """Return the metric on the encoder of random weights."""
    chosen = {"encoder": str(open_shared_folder()), **SMALL, **params}
    metric = load_registry().build("critic-reference", **chosen)
    assert isinstance(metric, CriticReference)
    return metric


def train(folder: Path, *, seed: int = 0, batch: Batch | None = None, **params: Any) -> CriticReference:
    """Return the metric whose head is kept in a folder."""
    learner = build(**params).get_trainable()
    assert isinstance(learner, CriticReferenceLearner)
    return learner.train(batch or make_batch(), None, np.random.default_rng(seed), folder=folder)
