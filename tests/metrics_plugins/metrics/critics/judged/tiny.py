"""Judged captions on which a critic of words is fitted within a second."""

from typing import Any

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.metrics.critics.judged.metric import CriticJudgments
from metrics_plugins.runtime import load_registry

THINGS = ("dog", "cat", "horse", "boat", "train", "child", "kite", "chef", "river", "tower", "bus", "lamp")


def make_judged(n_images: int = len(THINGS)) -> JudgedRows:
    """Return two captions of each image, a right one that people liked and a wrong one."""
    things = THINGS[:n_images]
    captions = [text for thing in things for text in (f"a {thing} in the sun", "two men play chess")]
    references = [[f"a {thing} in bright sun", f"the {thing} outside"] for thing in things for _ in (0, 1)]
    images = [thing for thing in things for _ in (0, 1)]
    batch = Batch.make(
        [f"{image}-{row % 2}" for row, image in enumerate(images)],
        candidates=captions,
        references=references,
        image_keys=images,
    )
    noise = np.random.default_rng(0).normal(scale=0.1, size=len(images))
    return JudgedRows(batch, np.tile([4.0, 1.0], len(things)) + noise)


def build(**params: Any) -> CriticJudgments:
    """Return the critic of words alone, which needs no network."""
    built = load_registry().build("critic-judgments", **({} if "weights" in params else {"features": "words"}) | params)
    assert isinstance(built, CriticJudgments)
    return built
