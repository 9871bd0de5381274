"""Tests of singular forms against the rules of pattern, and of the corrected forms."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.metrics.chair.categories import CATEGORY_OF, JOINED
from metrics_plugins.metrics.chair.singular import choose_singular, make_singular

PARTS = frozenset(part for words in (*CATEGORY_OF, *JOINED) for part in words.split())
GOLDEN = json.loads((Path(__file__).resolve().parents[4] / "fixtures/golden/singular_forms.json").read_text())


def test_singulars_of_possible_object_names_equal_those_of_pattern() -> None:
    # A wrong singular matters only if it, or the right one, is a word of the table.
    wrong = {
        word: (make_singular(word), singular)
        for word, singular in GOLDEN["singulars"].items()
        if make_singular(word) != singular and PARTS & {make_singular(word), singular}
    }

    assert wrong == {}
    assert len(GOLDEN["singulars"]) > 800


@pytest.mark.parametrize(
    ("word", "published", "corrected"),
    [
        ("bus", "bu", "bus"),
        ("buses", "bus", "bus"),
        ("tennis", "tenni", "tennis"),
        ("glass", "glas", "glass"),
        ("glasses", "glass", "glass"),
        ("ties", "ty", "tie"),
        ("canoes", "cano", "canoe"),
        ("skis", "ski", "skis"),
        ("scissors", "scissors", "scissors"),
        ("women", "woman", "woman"),
        ("puppies", "puppy", "puppy"),
        ("doggies", "doggie", "doggie"),
        ("knives", "knife", "knife"),
        ("is", "is", "is"),
        ("s", "", ""),
    ],
)
def test_published_and_corrected(word: str, published: str, corrected: str) -> None:
    assert choose_singular("published", words=PARTS)(word) == published
    assert choose_singular("corrected", words=PARTS)(word) == corrected


@given(word=st.text(st.characters(), max_size=12))
@settings(deadline=None)
def test_any_word_has_a_singular_and_a_corrected_one_keeps_the_names_of_objects(word: str) -> None:
    correct = choose_singular("corrected", words=PARTS)

    assert isinstance(make_singular(word), str)
    assert correct(word) == word or word not in PARTS
