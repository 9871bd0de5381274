"""Tests of LSA against the authors' numbers and its definition."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics_plugins.metrics.diversity.sets import GOLDEN, make_golden_batch, run, score

WORDS = st.lists(st.sampled_from(["a", "dog", "the", "red", "ball"]), max_size=8).map(" ".join)


def test_golden() -> None:
    values = run("lsa", make_golden_batch()).scores.values.tolist()

    assert values == pytest.approx([golden["lsa"] for golden in GOLDEN["sets"]], abs=1e-9)


@given(captions=st.lists(WORDS, min_size=2, max_size=6))
@settings(deadline=None)
def test_definition(captions: list[str]) -> None:
    words = sorted({word for caption in captions for word in caption.split(" ")})
    table = [[caption.split(" ").count(word) for caption in captions] for word in words]
    singular_values = np.linalg.svd(np.array(table, dtype=float), compute_uv=False)
    expected = -math.log(singular_values[0] / singular_values.sum()) / math.log(len(captions))

    assert score("lsa", [captions]) == pytest.approx([expected], abs=1e-9)


def test_an_empty_caption_is_one_empty_token() -> None:
    assert score("lsa", [["", ""], ["", "dog"]]) == pytest.approx([0.0, 1.0], abs=1e-15)


def test_small_sets_have_no_score() -> None:
    values = score("lsa", [[], ["a dog"], ["a", "b"]])

    assert values == pytest.approx([math.nan, math.nan, 1.0], nan_ok=True)
