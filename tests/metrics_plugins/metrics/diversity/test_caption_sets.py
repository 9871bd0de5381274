"""Tests of captions in alphabetical order, and of rows of equal size."""

import numpy as np
import pytest

from metrics_plugins.metrics.diversity.caption_sets import derive_caption_sets, group_rows
from tests.metrics_plugins.metrics.diversity.sets import make_batch


def test_captions_are_sorted_and_know_their_places() -> None:
    caption_sets = derive_caption_sets(make_batch([["c", "a", "b"], [], ["b", "a", "b"]]))

    assert caption_sets.sizes.tolist() == [3, 0, 3]
    assert caption_sets.set_of_slot.tolist() == [0, 0, 0, 2, 2, 2]
    # Texts are stored as a dog, c, a, b or so: what counts is which of them stand where.
    texts = make_batch([["c", "a", "b"], [], ["b", "a", "b"]]).derive_texts("texts", tuple)
    assert [texts[position] for position in caption_sets.rows.values] == ["a", "b", "c", "a", "b", "b"]
    assert caption_sets.places.tolist() == [1, 2, 0, 1, 0, 2]


def test_average_of_slots() -> None:
    caption_sets = derive_caption_sets(make_batch([["a", "b"], [], ["c"]]))

    averages = caption_sets.average(np.array([1.0, 2.0, 5.0])).tolist()

    assert averages == pytest.approx([1.5, np.nan, 5.0], nan_ok=True)


def test_rows_of_equal_size() -> None:
    groups = group_rows(np.array([2, 1, 2, 2]), np.array([5, 5, 5, 4]))

    assert [(shape, rows.tolist()) for shape, rows in groups] == [((1, 5), [1]), ((2, 4), [3]), ((2, 5), [0, 2])]
    assert list(group_rows(np.zeros(0, dtype=np.int64))) == []
