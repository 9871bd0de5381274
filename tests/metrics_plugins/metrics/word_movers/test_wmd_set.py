"""Tests of the distance of sets by hand, and of its properties for any text."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.metrics_plugins.metrics.word_movers.plane import score, write_plane

TEXTS = st.lists(st.sampled_from(["dog", "cat", "grass", "the", "zzqx"]), max_size=5).map(" ".join) | st.text(
    st.characters(), max_size=10
)
ROWS = st.lists(st.tuples(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=3)), min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("captions", "references", "expected"),
    [
        # 1 - cos: 0 from east to eastern, 1 to north, 2 to west; far has cosine 3/5 with east.
        (["east"], ["eastern"], 1.0),
        (["east"], ["north"], math.exp(-1)),
        (["east"], ["west"], math.exp(-2)),
        (["east"], ["far"], math.exp(-0.4)),
        # Pooled: half east, half west; all must go to north at cost 1.
        (["east", "west"], ["north"], math.exp(-1)),
        # Counted over the whole set: two thirds east and a third north, against halves: a sixth moves at cost 1.
        (["east", "east north"], ["east", "north"], math.exp(-1 / 6)),
        # A word at the origin has no direction: cost 1.
        (["origin"], ["east"], math.exp(-1)),
        (["nowhere", "the"], ["east"], 0.0),
        (["east"], ["nowhere"], math.nan),
        (["east"], [], math.nan),
        ([], ["east"], math.nan),
    ],
)
def test_hand_computed(captions: Sequence[str], references: Sequence[str], expected: float, tmp_path: Path) -> None:
    values = score("wmd-set", [(captions, references)], vectors=write_plane(tmp_path))

    assert values == pytest.approx([expected], abs=1e-12, nan_ok=True)


@given(rows=ROWS)
@settings(deadline=None, max_examples=40)
def test_any_text_stays_within_bounds_and_the_order_of_captions_does_not_matter(rows: list) -> None:
    turned = [(captions[::-1], references[::-1]) for captions, references in rows]

    assert np.array_equal(score("wmd-set", rows), score("wmd-set", turned), equal_nan=True)


@given(captions=st.lists(TEXTS, min_size=1, max_size=4))
@settings(deadline=None, max_examples=40)
def test_a_set_that_is_its_references_is_perfect(captions: list[str]) -> None:
    (value,) = score("wmd-set", [(captions, captions)])

    assert math.isnan(value) or value == pytest.approx(1, abs=1e-12)
