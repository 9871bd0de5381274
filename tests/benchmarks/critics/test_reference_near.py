"""Tests of the rows that compare images with similar ones, and of the scores counted as right."""

import numpy as np
import pytest

from benchmarks.critics.reference_near import make_rows, measure_preference

GROUPS = (("a dog", "one dog", "the dog"), ("a puppy", "one puppy"), ("a car", "one car"))


def test_own_caption_stands_first_beside_the_others_of_its_image() -> None:
    batch = make_rows(GROUPS, np.array([[1], [0], [1]]))

    assert list(batch.candidates[:4]) == ["a dog", "a puppy", "one dog", "one puppy"]
    assert [list(each) for each in batch.references[:4]] == [["one dog", "the dog"]] * 2 + [["a dog", "the dog"]] * 2
    assert len(batch) == 3 * 2 * 2


def test_ties_are_wrong() -> None:
    scores = np.array([3.0, 1.0, 2.0, 1.0, 1.0, 0.0])

    assert measure_preference(scores, n_near=2) == (pytest.approx(3 / 4), 0.5)
