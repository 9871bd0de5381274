"""Tests that COCO's captions are in the order of images, and of the items made from them."""

import argparse
import json
from pathlib import Path

import pytest

from benchmarks.coco_captions import batch_items, load_items, name_corpus, prepare, read_images, read_items
from metrics_plugins.readers import read_corpus


def test_images_are_those_of_val2014_in_order_of_id_and_then_others() -> None:
    val = read_corpus(name_corpus("captions_val2014.json")).captions

    images = read_images(len(val) + 2)

    ids = [int(key) for key, _ in images]
    assert len(ids) == len(val) + 2
    assert ids[:-2] == sorted(map(int, val))
    assert val.keys().isdisjoint(key for key, _ in images[-2:])
    assert all(texts == list(val[key]) for key, texts in images[:-2])


def test_items_are_handed_on_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "captions.json"

    prepare(argparse.Namespace(items=3, captions=path))

    items = load_items(path)
    ((key, texts), *_) = read_images(1)
    assert json.loads(capsys.readouterr().out) == {"n_items": 3}
    assert items == read_items(3)
    assert items[0] == (key, texts[0], texts[1:5])
    batch = batch_items(items)
    assert list(batch.keys) == [key for key, _, _ in items]
    assert batch.references[0] == tuple(texts[1:5])
