"""Tests of worlds as captioned images: the instances of the set, true captions, and files that are not made again."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captioning.data.splits import Splits
from captioning.data.worlds import load_worlds
from captioning.worlds.instances import make_instance
from captioning.worlds.rendering import render_world
from captioning.worlds.specs import find_spec

NAME = "spatial-twoshapes"


class _NoExecutor(ThreadPoolExecutor):
    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise AssertionError("an instance was made again")


def _load(folder: Path, *, n_train: int = 12, executor: ThreadPoolExecutor | None = None) -> Splits:
    with executor or ThreadPoolExecutor(1) as opened:
        return load_worlds(
            NAME,
            folder=folder,
            n_train=n_train,
            n_validation=3,
            n_test=5,
            n_references=4,
            shard_size=10,
            executor=opened,
        )


def test_splits_hold_the_instances_of_the_set(tmp_path: Path) -> None:
    splits = _load(tmp_path)

    assert [len(each) for each in (splits.train, splits.validation, splits.test)] == [12, 3, 5]
    expected = make_instance(find_spec(NAME), split="test", index=4, n_captions=4)
    assert splits.test.images.keys[4] == "spatial-twoshapes-test-4"
    assert splits.test.images.pixels is not None
    assert splits.test.images.pixels.shape == (5, 64, 64, 3)
    assert np.array_equal(splits.test.images.pixels[4], render_world(expected.world))
    assert splits.test.captions[4] == tuple(each.text.removesuffix(" .") for each in expected.captions)
    assert {len(lines) for lines in splits.train.captions} == {1}
    # A shard boundary lies between them.
    assert splits.train.captions[10] == (
        make_instance(find_spec(NAME), split="train", index=10).captions[0].text.removesuffix(" ."),
    )


def test_captions_are_true_in_their_worlds_and_have_no_full_stop(tmp_path: Path) -> None:
    test = _load(tmp_path).test

    assert test.worlds is not None
    for lines, world in zip(test.captions, test.worlds, strict=True):
        assert [world.evaluate_caption(line) for line in lines] == [1] * 4  # type: ignore[attr-defined]
        assert not any("." in line for line in lines)


def test_worlds_are_made_once_and_fewer_are_the_first_of_them(tmp_path: Path) -> None:
    first = _load(tmp_path)

    again = _load(tmp_path, executor=_NoExecutor(1))
    fewer = _load(tmp_path, n_train=7, executor=_NoExecutor(1))

    assert again.train.digest == first.train.digest
    assert fewer.train.captions == first.train.captions[:7]


def test_more_worlds_begin_with_those_that_are_there(tmp_path: Path) -> None:
    first = _load(tmp_path)

    more = _load(tmp_path, n_train=25)

    assert more.train.captions[:12] == first.train.captions
    assert len(set(more.train.images.keys)) == 25


def test_numbers_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="train must have at least 1 world and 1 caption, got 0 and 1"):
        _load(tmp_path, n_train=0)
