"""Tests of human captions, machine captions and held-out images."""

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.metrics.critics.lstm.tiny import make_captions


def gather(*rows: tuple[str, str, list[str]]) -> TrainingCaptions:
    keys, candidates, references = zip(*rows, strict=True)
    batch = Batch.make(keys, candidates=candidates, references=references)
    return TrainingCaptions.gather(batch, load_registry().get_tokenizer("nltk-words"))


def test_candidates_among_the_references_are_human() -> None:
    captions = gather(("x", "A dog.", ["A dog.", "a hound"]), ("y", "a bus", ["a red bus", "a car"]))

    assert captions.image_ids == ("x", "y")
    assert captions.humans == (("a dog", "a hound"), ("a red bus", "a car"))
    assert captions.machines == ((), ("a bus",))
    assert captions.samples == ((), ())


def test_rows_of_an_image_are_taken_together() -> None:
    captions = gather(("x", "one", ["a", "b"]), ("x", "two", ["b", "c"]), ("x", "one", ["a"]))

    assert captions.humans == (("a", "b", "c"),)
    assert captions.machines == (("one", "two"),)


def test_digest_tells_captions_apart() -> None:
    first, same, other = (gather(("x", text, ["a", "b"])) for text in ("one", "one", "two"))

    assert first.digest == same.digest
    assert first.digest != other.digest


def test_images_without_enough_captions_are_left_out() -> None:
    captions = gather(("x", "one", ["a"]), ("y", "one", ["a", "b"]))

    assert captions.require_captions(2).image_ids == ("y",)
    with pytest.raises(MetricError, match=r"learns from images with 3 human captions each at least.*among 2 images"):
        captions.require_captions(3)


def test_images_are_held_out_by_the_generator() -> None:
    captions = make_captions(10)

    learning, held_out = captions.hold_out(0.2, np.random.default_rng(0))

    assert len(held_out) == 2
    assert sorted([*learning.image_ids, *held_out.image_ids]) == sorted(captions.image_ids)
    assert captions.hold_out(0.2, np.random.default_rng(0))[1].image_ids == held_out.image_ids
    assert len(captions.hold_out(0.0, np.random.default_rng(0))[1]) == 0
