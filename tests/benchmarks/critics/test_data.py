"""Tests of the captions for benchmarks of critics."""

import pytest

from benchmarks.critics.data import make_learning_batch, read_coco, read_flickr
from benchmarks.judged_captions import read_judged


@pytest.mark.slow
def test_images_to_test_on_are_never_learned_from() -> None:
    small, large = read_coco(n_learning=100, n_testing=50), read_coco(n_learning=40_000, n_testing=50)

    assert small.testing == large.testing
    assert set(small.learning) <= set(large.learning)
    assert not set(large.learning) & set(large.testing)
    # Counts from the README beside the data.
    assert (len(large.humans), len(large.machines)) == (40_504, 40_504)


def test_batch_holds_the_machines_captions_where_there_are_some() -> None:
    batch = make_learning_batch(["a", "b"], {"a": ("x", "y"), "b": ("z",)}, {"a": "robot"})

    assert (batch.keys, list(batch.candidates)) == (("a", "b"), ["robot", "z"])
    assert list(batch.references) == [("x", "y"), ("z",)]


def test_judged_images_are_test_images() -> None:
    captions, tested = read_flickr()
    judged = dict(read_judged())

    # Counts from the README beside the data.
    assert (len(captions), len(tested)) == (8092, 1000)
    for name in ("Flickr8k-Expert", "Flickr8k-CF"):
        assert set(judged[name].data.judgments.image) == tested
