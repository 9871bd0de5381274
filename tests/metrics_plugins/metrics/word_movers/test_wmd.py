"""Tests of Word Mover's Distance by hand, and of its properties for any text."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api.errors import UnknownEncoder
from tests.metrics_plugins.metrics.word_movers.plane import load_bundled_registry, run, score, write_plane

CAPTIONS = st.lists(st.sampled_from(["dog", "cat", "grass", "the", "runs", "zzqx"]), max_size=6).map(" ".join)
TEXTS = CAPTIONS | st.text(st.characters(), max_size=10)
ROWS = st.lists(st.tuples(TEXTS, st.lists(TEXTS, max_size=3)), min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),
    [
        ("east", ["far"], math.hypot(2, 4)),
        ("origin", ["far"], 5.0),
        # The nearest reference counts.
        ("origin", ["far", "east"], 1.0),
        # Half of the words stay, the other half goes from north to eastern.
        ("east north", ["east eastern"], math.sqrt(5) / 2),
        # East goes to eastern (1), west to origin (1); the other plan costs 1 + 3.
        ("east west", ["origin eastern"], 1.0),
        # A third of west stays too much: it goes to east.
        ("west west east", ["west east"], 2 / 6),
        ("the east of nowhere", ["East!"], 0.0),
        ("west east", ["east west"], 0.0),
        ("east", ["nowhere", "west"], 2.0),
        ("nowhere", ["east"], math.nan),
        ("east", ["the"], math.nan),
        ("", [""], math.nan),
        ("east", [], math.nan),
    ],
)
def test_hand_computed(candidate: str, references: Sequence[str], expected: float, tmp_path: Path) -> None:
    values = score("wmd", [(candidate, references)], vectors=write_plane(tmp_path))

    assert values == pytest.approx([expected], abs=1e-12, nan_ok=True)


def test_stop_words_are_kept_if_requested(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the 0\ndog 4\n")
    vectors = str(tmp_path / "a.txt")

    assert score("wmd", [("the dog", ["dog"])], vectors=vectors) == [0.0]
    assert score("wmd", [("the dog", ["dog"])], vectors=vectors, stop_words="none") == [2.0]


def test_example_of_the_paper_with_glove() -> None:
    # Kusner et al. (2015), figure 1: D0 is nearer to D1 than to D2, though it shares no word with either.
    candidate = "Obama speaks to the media in Illinois"
    near, other = "The President greets the press in Chicago", "The band gave a concert in Japan"
    nearer, farther = score("wmd", [(candidate, [near]), (candidate, [other])])

    assert nearer < farther
    assert score("wmd", [(candidate, [other, near])]) == [nearer]


def test_corpus_is_the_mean_of_the_defined(tmp_path: Path) -> None:
    result = run("wmd", [("east", ["far"]), ("nowhere", ["far"]), ("origin", ["far"])], vectors=write_plane(tmp_path))

    assert result.corpus == pytest.approx((math.sqrt(20) + 5) / 2)


@given(rows=ROWS)
@settings(deadline=None, max_examples=40)
def test_any_text_stays_within_bounds_and_the_order_of_words_and_references_does_not_matter(rows: list) -> None:
    values = score("wmd", rows)  # raises BadScores out of bounds
    turned = [(" ".join(candidate.split()[::-1]), references[::-1]) for candidate, references in rows]
    simple = [row for row, (candidate, _) in enumerate(rows) if set(candidate) <= set("abcdefghijklmnopqrstuvwxyz ")]

    assert np.array_equal(np.array(values)[simple], np.array(score("wmd", turned))[simple], equal_nan=True)


@given(first=CAPTIONS, second=CAPTIONS)
@settings(deadline=None, max_examples=40)
def test_distance_is_symmetric_and_zero_to_itself(first: str, second: str) -> None:
    there, back, none = score("wmd", [(first, [second]), (second, [first]), (first, [first])])

    assert there == pytest.approx(back, abs=1e-9, nan_ok=True)
    assert math.isnan(none) or none == pytest.approx(0, abs=1e-12)


def test_signature(tmp_path: Path) -> None:
    signature = load_bundled_registry().build("wmd", vectors=write_plane(tmp_path)).signature
    fields = dict(signature.fields)

    assert fields.pop("vectors").startswith("plane.npz+")
    assert fields == {"stop_words": "english", "tok": "ptb"}


def test_vectors_that_nobody_has_are_named() -> None:
    with pytest.raises(UnknownEncoder, match="no installed plugin provides an encoder 'word2vec-coco'"):
        load_bundled_registry().build("wmd", vectors="word2vec-coco")
