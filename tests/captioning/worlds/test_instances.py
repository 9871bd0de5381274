"""Tests that (specification, split, index) identifies an instance in any process, and that labels are correct."""

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from captioning.worlds.instances import iterate_batches, make_contrast, make_instance
from captioning.worlds.language import parse_caption, realise_caption
from captioning.worlds.making import serialise_instance
from captioning.worlds.rendering import render_world
from captioning.worlds.specs import SPECS, Spec
from captioning.worlds.truth.evaluating import evaluate

ROOT = Path(__file__).parents[3]
_PROGRAM = """
import sys
from captioning.worlds.instances import make_instance
from captioning.worlds.making import serialise_instance
from captioning.worlds.specs import find_spec
import json
print(json.dumps([serialise_instance(make_instance(find_spec(n), split="test", index=41)) for n in sys.argv[1:]]))
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_makes_the_same_instances(hash_seed: str) -> None:
    names = list(SPECS)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    result = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *names], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    assert json.loads(result.stdout) == [
        serialise_instance(make_instance(SPECS[name], split="test", index=41)) for name in names
    ]


def test_the_first_instances_stay_what_they_were() -> None:
    """Raise a specification's `version` when this changes: its names then mean other instances.

    The digest is of texts, shapes and image bytes, which do not hang on the last bits of a machine's sine.
    """
    digest = hashlib.sha256()
    for name in ("existential-oneshape", "quant-ratio"):
        for index in range(3):
            instance = make_instance(SPECS[name], split="train", index=index)
            digest.update(instance.captions[0].text.encode())
            digest.update(repr([(each.shape, each.color) for each in instance.world.entities]).encode())

    assert digest.hexdigest()[:16] == "f880ae2a33ce43b4"


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("ratio", [1.0, 0.0])
def test_captions_are_read_back_and_have_their_truth(spec: Spec, ratio: float) -> None:
    chosen = replace(spec, correct_ratio=ratio)
    for index in range(12):
        instance = make_instance(chosen, split="train", index=index, n_captions=2)
        for caption in instance.captions:
            assert caption.is_true == (ratio == 1.0)
            assert bool(caption.edit) == (ratio == 0.0)
            assert parse_caption(caption.text) == caption.proposition
            assert realise_caption(caption.proposition) == caption.text
            assert evaluate(caption.proposition, instance.world) == (1 if caption.is_true else -1)


def test_splits_and_indices_differ() -> None:
    spec = SPECS["existential-multishapes"]
    made = [make_instance(spec, split=split, index=index).world for split in ("train", "test") for index in range(5)]

    assert len(set(made)) == 10


def test_contrast_has_true_and_false_captions_of_one_world() -> None:
    instance = make_contrast(SPECS["spatial-multishapes"], split="test", index=3, n_true=2, n_false=3)

    assert [caption.is_true for caption in instance.captions] == [True, True, False, False, False]


def test_batches_for_training_are_the_instances_in_order_with_or_without_workers() -> None:
    spec = SPECS["existential-oneshape"]

    alone = list(islice(iterate_batches(spec, batch_size=4, start=8), 3))
    with ThreadPoolExecutor(2) as executor:
        shared = list(islice(iterate_batches(spec, batch_size=4, start=8, executor=executor), 3))

    assert [batch.indices for batch in alone] == [(8, 9, 10, 11), (12, 13, 14, 15), (16, 17, 18, 19)]
    for batch, other in zip(alone, shared, strict=True):
        assert batch.captions == other.captions
        assert np.array_equal(batch.images, other.images)
    ninth = make_instance(spec, split="train", index=9)
    assert np.array_equal(alone[0].images[1], render_world(ninth.world))
    assert alone[0].captions[1] == ninth.captions[0].text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"split": "dev"}, "`split` must be one of train, validation, test, got 'dev'"),
        ({"index": -1}, "`index` must be at least 0, got -1"),
        ({"n_captions": 0}, "`n_captions` must be at least 1, got 0"),
    ],
)
def test_wrong_arguments_are_named(changes: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_instance(SPECS["existential-oneshape"], **{"split": "train", "index": 0, **changes})


@pytest.mark.slow
def test_captions_of_all_sets_are_read_back_as_what_made_them() -> None:
    """A share of the 200,000 that `benchmarks/worlds.py --round-trip` reads."""
    for spec in SPECS.values():
        for ratio in (1.0, 0.0):
            chosen = replace(spec, correct_ratio=ratio)
            for index in range(400):
                instance = make_instance(chosen, split="validation", index=index)
                caption = instance.captions[0]
                assert parse_caption(caption.text) == caption.proposition
                assert evaluate(caption.proposition, instance.world) == (1 if caption.is_true else -1)
