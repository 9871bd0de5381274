"""Tests that document frequencies counted in parts are those counted in memory."""

from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents
from metrics_plugins.metrics.ngram.frequency_streams import count_stream
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.large_tables.tables import make_caption

IMAGES = [[make_caption(13 * image + 5 * number) for number in range(image % 4)] for image in range(300)]
ODD = [["", "A dog"], [], ["a dog a dog a dog a dog", "3 1/2 dogs"], ["é ü", "a dog"], ["3 1/2 dogs"]]


def make_batch(images: list[list[str]]) -> Batch:
    return Batch.make(map(str, range(len(images))), references=images)


def assert_equal(one: DocumentFrequencies, other: DocumentFrequencies) -> None:
    assert (one.n_images, one.words, one.source) == (other.n_images, other.words, other.source)
    for mine, its in zip(one.keys + one.frequencies, other.keys + other.frequencies, strict=True):
        assert mine.dtype == its.dtype
        np.testing.assert_array_equal(mine, its)


@pytest.mark.parametrize("images", [IMAGES, ODD, [["one two"]], [[]]], ids=["many", "odd", "one", "none"])
@pytest.mark.parametrize("rows_per_batch", [1, 64, 1000])
@pytest.mark.parametrize("at_once", [5, 4_000_000])
@pytest.mark.parametrize("order", [1, 4])
def test_counts_in_parts_are_those_in_memory(
    images: list, rows_per_batch: int, at_once: int, order: int, tmp_path: Path
) -> None:
    tokenizer = load_registry().build("cider-d").tokenizer
    parts = [make_batch(images[start : start + rows_per_batch]) for start in range(0, len(images), rows_per_batch)]

    counted = count_stream(iter(parts), tokenizer, order=order, folder=tmp_path, at_once=at_once)

    assert_equal(counted, count_documents(make_batch(images), tokenizer, order=order))
