"""The captions for the benchmarks of learned critics: COCO's, by people and by a machine, and Flickr8k's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.coco_captions import name_corpus
from metrics_plugins.api import Batch
from metrics_plugins.readers import read_corpus

DATA = Path(os.environ.get("ACCORDANCE_DATA", Path(__file__).resolve().parents[2] / "../shared/data")).resolve()
Captions = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class CocoSplit:
    """A random split of COCO's val2014 into training and test images.

    Attributes:
        humans: The human captions by image.
        machines: One machine caption (Vinyals et al. 2017) by image.
        learning, testing: The ids of training and test images.
    """

    humans: Captions
    machines: Mapping[str, str]
    learning: tuple[str, ...]
    testing: tuple[str, ...]


def read_coco(*, n_learning: int, n_testing: int, seed: int = 0) -> CocoSplit:
    """Return a split of val2014; the test images do not depend on the number of training images."""
    humans = read_corpus(name_corpus("captions_val2014.json")).captions
    results = read_corpus(str(DATA / "coco" / "captions_val2014_googlstm_results.json.gz")).captions
    order = np.random.default_rng(seed).permutation(sorted(humans)).tolist()
    return CocoSplit(
        humans=humans,
        machines={image: captions[0] for image, captions in results.items()},
        testing=tuple(order[:n_testing]),
        learning=tuple(order[n_testing : n_testing + n_learning]),
    )


def make_learning_batch(images: Sequence[str], humans: Captions, machines: Mapping[str, str]) -> Batch:
    """Return the training batch of a critic, with a row per image whose candidate is the machine's caption, if any."""
    candidates = [machines.get(image, humans[image][0]) for image in images]
    return Batch.make(images, candidates=candidates, references=[humans[image] for image in images])


def read_flickr() -> tuple[Captions, frozenset[str]]:
    """Return the captions of Flickr8k by image, and its test images, which were judged."""
    captions = read_corpus(str(DATA / "flickr8k" / "Flickr8k.token.txt.gz")).captions
    return captions, frozenset((DATA / "flickr8k" / "Flickr_8k.testImages.txt").read_text().split())
