"""Tests of heads trained on captions alone."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.metrics.critics.reference.learning import CaptionGroups, find_near
from tests.metrics_plugins.metrics.critics.reference.tiny import learn, make_groups, open_encoder


def test_captions_are_gathered_by_image() -> None:
    references = [[f"a dog {number}", f"a dog {number}", f"the dog {number}"] for number in range(10)]
    rows = [*references, references[0], ["alone"], ["alike", "alike"], []]
    batch = Batch.make(map(str, range(len(rows))), candidates=["x"] * len(rows), references=rows)

    groups = CaptionGroups.gather(batch)

    assert groups.groups == tuple((f"a dog {number}", f"the dog {number}") for number in range(10))
    assert groups.images.tolist() == [image for image in range(10) for _ in range(2)]
    assert groups.captions[:3] == ("a dog 0", "the dog 0", "a dog 1")


def test_too_few_images_are_told() -> None:
    batch = Batch.make("ab", candidates=["x", "y"], references=[["a dog", "the dog"], ["a cat"]])

    with pytest.raises(MetricError, match=r"two different captions each \(references\), 10 images at least: got 1"):
        CaptionGroups.gather(batch)


def test_same_captions_and_seed_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        learn(seed=3).write(tmp_path / name)

    for file in ("head.json", "head.safetensors"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()


def test_each_choice_makes_another_head() -> None:
    digests = {
        learn(**changes).digest
        for changes in (
            {},
            {"seed": 1},
            {"steps": 0},
            {"altered": False},
            {"sentence_shrinkage": 0.5},
            {"token_power": 0.5},
            {"recall": 0.5},
        )
    }

    assert len(digests) == 7


def test_head_says_what_it_was_made_of() -> None:
    head = learn(seed=7)

    made = {name: head.made_of[name] for name in ("captions", "n_images", "n_captions", "seed")}
    assert made == {"captions": make_groups().digest, "n_images": 16, "n_captions": 48, "seed": 7}
    assert head.encoder == open_encoder().digest
    assert len(head.learned) == len(set(make_groups().captions))
    assert (head.spreads > 0).all()


def test_nearest_images_come_first_and_never_the_image_itself() -> None:
    vectors = np.array([[1.0, 0.0], [0.9, 0.1], [0.9, 0.2], [0.0, 1.0]], np.float32)

    assert find_near(vectors, np.array([0, 0, 1, 2]), np.arange(3), n=2).tolist() == [[1, 2], [0, 2], [1, 0]]


def test_nearest_images_are_others() -> None:
    vectors = np.array([[1, 0], [1, 0.1], [0, 1], [0.1, 1], [0.9, 0.2]], np.float32)

    near = find_near(vectors, np.arange(5), np.array([0, 2, 3, 4]), n=2)

    # Places among the drawn: 0, 2, 3, 4.
    assert near.tolist() == [[3, 2], [2, 3], [1, 3], [0, 2]]
