"""Tests of tables of tokens against `str.split`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.text.tokens import TokenTable, split_at_blanks, split_at_white_space

LINES = st.lists(st.text(alphabet=st.sampled_from("ab \u00a0\t\n\u2028é")) | st.text())


def spell_out(tokens: TokenTable) -> list[list[str]]:
    return [
        [tokens.words[number] for number in tokens.ids[start:stop]]
        for start, stop in zip(tokens.offsets[:-1], tokens.offsets[1:], strict=True)
    ]


@given(lines=LINES)
def test_splitting_equals_that_of_strings(lines: list[str]) -> None:
    tokens = split_at_blanks(lines)

    assert spell_out(tokens) == [line.split(" ") for line in lines]
    assert spell_out(split_at_white_space(tokens)) == [line.split() for line in lines]


def test_more_lines_than_are_split_at_once() -> None:
    lines = [f"a {number % 7} b" if number % 3 else "" for number in range(10_000)]

    assert spell_out(split_at_blanks(lines)) == [line.split(" ") for line in lines]


def test_a_word_has_one_number() -> None:
    tokens = split_at_blanks(["a dog", "a cat", "dog"])

    assert tokens.words == ("a", "dog", "cat")
    assert tokens.ids.tolist() == [0, 1, 0, 2, 1]
    assert tokens.lengths.tolist() == [2, 2, 1]
    assert tokens.text_of_token.tolist() == [0, 0, 1, 1, 2]


def test_table_without_inner_white_space_is_kept_as_it_is() -> None:
    tokens = split_at_blanks(["a dog", "a cat"])

    assert split_at_white_space(tokens) is tokens


@pytest.mark.parametrize(
    ("texts", "places"), [([], []), ([1], []), ([2, 0], [2, 3, 4, 0, 1]), ([0, 1, 0], [0, 1, 0, 1])]
)
def test_places_of_captions(texts: list[int], places: list[int]) -> None:
    words = split_at_white_space(split_at_blanks(["a b", "", "c d e"]))

    assert words.locate(np.array(texts, dtype=np.int64)).tolist() == places
