"""Tests of the captions that a training keeps at each validation."""

import json

import numpy as np

from captioning.captioners.neural import ShowAndTellCaptioner
from captioning.runtime import CaptionerContext
from captioning.runtime.running import run_captioner
from tests.captioning.training.samples import make_data

SETTINGS = {"hidden": 8, "embedding": 8, "steps": 4, "validate_every": 2, "batch_size": 4, "threads": 1, "max_words": 6}


def train(folder, **settings):
    data = make_data()
    return ShowAndTellCaptioner.train(
        data,
        data,
        folder=folder,
        rng=np.random.default_rng(0),
        context=CaptionerContext("cpu"),
        settings=SETTINGS | settings,
    )


def test_each_validation_keeps_greedy_captions(tmp_path):
    captioner = train(tmp_path, keep_captions=True)

    assert sorted(path.name for path in tmp_path.glob("captions-*.json")) == [
        "captions-0.json",
        "captions-2.json",
        "captions-4.json",
    ]
    images = make_data().images
    written = run_captioner(captioner, images, rng=np.random.default_rng(0), allow_empty=True)
    last = json.loads((tmp_path / "captions-4.json").read_text())
    assert last == [
        {"image_id": key, "caption": row[0]} for key, row in zip(images.keys, written.captions, strict=True)
    ]


def test_nothing_is_kept_without_the_setting(tmp_path):
    train(tmp_path)

    assert not list(tmp_path.glob("captions-*.json"))
