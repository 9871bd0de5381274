"""Tests that edits that make captions false have the original's weights."""

from collections import Counter

import numpy as np
import pytest

from captioning.worlds.captions.falsifying import Palette, draw_false
from captioning.worlds.language import parse_caption, realise_caption
from captioning.worlds.vocabulary import COLORS, SHAPES

EVERYTHING = Palette(tuple(COLORS), SHAPES, ("x", "y"))
N_DRAWS = 2400


def _draw(text: str, palette: Palette = EVERYTHING) -> list[tuple[str, str]]:
    rng = np.random.default_rng(4)
    drawn = [draw_false(parse_caption(text), palette=palette, rng=rng) for _ in range(N_DRAWS)]
    return [(each[0], realise_caption(each[1])) for each in drawn if each is not None]


def _assert_shares(counts: Counter[str], expected: dict[str, float]) -> None:
    assert set(counts) == set(expected)
    for name, share in expected.items():
        # Five standard deviations.
        assert abs(counts[name] / N_DRAWS - share) <= 5 * (share * (1 - share) / N_DRAWS) ** 0.5, name


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("there is a red square .", {"color": 1 / 3, "shape": 1 / 3, "color+shape": 1 / 3}),
        ("there is a red shape .", {"color": 1}),
        ("a square is red .", {"shape": 1 / 2, "color": 1 / 2}),
        # The subject 2, the reference 1, another relation 1/2, the inverse relation 1/2.
        ("a square is above a red shape .", {"shape": 1 / 2, "color": 1 / 4, "relation": 1 / 4}),
        ("the left square is red .", {"relation": 1 / 2, "color": 1 / 2}),
        ("exactly two squares are red .", {"shape": 1 / 4, "color": 1 / 4, "number": 1 / 2}),
        # The first clause, the second, or both.
        ("there is a square and there is a red shape .", {"shape": 1 / 3, "color": 1 / 3, "color+shape": 1 / 3}),
        ("there is a square or there is a red shape .", {"shape": 1 / 2, "color": 1 / 2}),
    ],
)
def test_kinds_have_the_original_weights(text: str, shares: dict[str, float]) -> None:
    _assert_shares(Counter(kind for kind, _ in _draw(text)), shares)


def test_the_inverse_relation_is_as_frequent_as_all_others() -> None:
    relations = Counter(text for kind, text in _draw("a square is above a red shape .") if kind == "relation")

    below = relations.pop("a square is below a red shape .")
    assert set(relations) == {f"a square is to the {side} of a red shape ." for side in ("left", "right")}
    assert abs(below - sum(relations.values())) < 120


def test_the_nearest_quantity_is_the_most_frequent_one() -> None:
    numbers = Counter(
        text.removesuffix(" squares are red .")
        for kind, text in _draw("exactly two squares are red .")
        if kind == "number"
    )

    # Nearest 3 (one or three), another modifier 1, another quantity 1, anything else 1.
    nearest = numbers["exactly three"] + numbers["exactly one square is red ."]
    assert 0.5 < nearest / sum(numbers.values()) < 0.65
    assert numbers["less than five"] > 0


def test_new_values_come_from_the_palette() -> None:
    palette = Palette(("red", "blue"), ("square", "cross"), ())
    texts = {text for _, text in _draw("there is a red square .", palette)}

    assert texts == {"there is a blue square .", "there is a red cross .", "there is a blue cross ."}


def test_nothing_to_edit_gives_nothing() -> None:
    assert _draw("there is a shape .") == []
    assert _draw("there is a red shape .", Palette(("red",), SHAPES, ())) == []
