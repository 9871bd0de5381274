"""Tests that edits change exactly one thing, and that their results can be expressed."""

from collections import Counter

import numpy as np
import pytest

from captioning.worlds.captions.edits import EDIT_KINDS, draw_edit, list_edits
from captioning.worlds.language import parse_caption, realise_caption


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("there is a red square .", {"color": 6, "shape": 7}),
        ("a shape is red .", {"color": 6}),
        ("a square is above a cross .", {"shape": 14, "relation": 13}),
        ("a square is closer to a cross than the circle .", {"shape": 21, "relation": 1}),
        ("the left square is red .", {"shape": 7, "color": 6, "relation": 7}),
        # Five other counts with this modifier, five other modifiers with this count.
        ("exactly two squares are red .", {"shape": 7, "color": 6, "number": 10}),
        ("there is a square and there is a red shape .", {"shape": 7, "color": 6, "logic": 3}),
        ("it is not the case that there is a square .", {"shape": 7, "logic": 1}),
        ("a square is not above a cross .", {"shape": 14, "relation": 13, "logic": 1}),
        ("two more squares than circles are red .", {"shape": 14, "color": 6, "number": 1}),
    ],
)
def test_every_single_change_is_listed_once_and_can_be_said(text: str, kinds: dict[str, int]) -> None:
    proposition = parse_caption(text)

    edits = list_edits(proposition)

    assert Counter(kind for kind, _ in edits) == kinds
    assert set(kinds) <= set(EDIT_KINDS)
    texts = [realise_caption(edited) for _, edited in edits]
    assert len(set(texts)) == len(texts)
    assert text not in texts
    assert all(parse_caption(each) == edited for each, (_, edited) in zip(texts, edits, strict=True))


def test_kinds_are_drawn_by_their_weights() -> None:
    rng = np.random.default_rng(1)
    proposition = parse_caption("exactly two squares are red .")

    drawn = [draw_edit(proposition, weights={"number": 3.0, "color": 1.0, "logic": 9.0}, rng=rng) for _ in range(400)]

    counts = Counter(edit[0] for edit in drawn if edit is not None)
    assert set(counts) == {"number", "color"}
    assert 260 < counts["number"] < 340


def test_nothing_to_edit_gives_nothing() -> None:
    assert draw_edit(parse_caption("there is a shape ."), weights={"color": 1.0}, rng=np.random.default_rng(0)) is None
