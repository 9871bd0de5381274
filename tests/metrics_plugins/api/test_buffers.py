"""Tests of batches as columnar buffers."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.buffers import decode_batch, encode_batch
from metrics_plugins.api.errors import UndeclaredInput
from tests.metrics_plugins.api.examples import Words

FULL = Batch.make(
    ["a", "b", "c"],
    candidates=["a dog", "", "lone \ud800 surrogate"],
    references=[["a dog", "two dogs"], [], [""]],
    caption_sets=[["one", "two"], ["one"], ["ü"]],
    images=[Path("x.png"), Path("y.png"), Path("z.png")],
    image_keys=["i", "i", "j"],
    worlds=[{"n": 1}, None, ("w",)],
)


@pytest.mark.parametrize(
    "batch",
    [FULL, FULL.select([2, 0]), Batch.make(["k"], candidates=["only"]), Batch.make([], candidates=[], references=[])],
)
def test_a_batch_comes_back_as_it_was(batch):
    back = decode_batch(encode_batch(batch))

    assert pickle.dumps(back) == pickle.dumps(batch)
    if "references" in batch.available_inputs:
        assert back.references == batch.references
        assert back.reference_rows.values.dtype == np.int64
        assert back.reference_rows.values.flags.writeable == batch.reference_rows.values.flags.writeable


def test_a_view_stays_restricted():
    back = decode_batch(encode_batch(FULL.restrict(Words.info)))

    with pytest.raises(UndeclaredInput, match="metric 'words' reads image"):
        _ = back.images


def test_captions_are_in_the_buffers_once():
    captions = ["the same long caption of many words"] * 500
    batch = Batch.make(map(str, range(500)), candidates=captions, references=[captions[:5]] * 500)

    assert encode_batch(batch).count(captions[0].encode()) == 1
