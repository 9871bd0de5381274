"""Tests of the second tokeniser against lines printed by the normaliser of the program METEOR 1.5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.metrics.meteor.normalising import is_plain, normalise_lines
from metrics_plugins.metrics.meteor.sources import find_sources

LINES = [
    ("a dog runs", "a dog runs"),
    ("A Dog", "a dog"),
    ("don't you 're 5's rock'n'roll", "don 't you ' re 5 's rock 'n'roll"),
    ("man 's dog", "man ' s dog"),
    ("black-and-white t-shirt -x x- a--b", "black and white t shirt -x x- a b"),
    ("1,000 a,b 5,a a,5 ,", "1,000 a , b 5 , a a , 5 ,"),
    ("u.s. e.g. i.e. p.m. a.b.c", "us eg ie pm a.b.c"),
    ("a ... b .. c x..y ....", "a ... b .. c x .. y ...."),
    ("dr. smith Dr. smith v. them No. 5 end.", "dr. smith dr. smith v. them no. 5 end ."),
    ("No. x pp. 3 pp. x", "no. x pp. 3 pp. x"),
    ("no. 5 Art. 12", "no . 5 art. 12"),
    ("\u201cx\u201d \u2018y\u2019 ``z'' \u2013", '" x " \' y \' " z " -'),
    ("caf\u00e9 \u65e5\u672c \U0001f600 \u00f1", "caf\u00e9 \u65e5 \u672c \U0001f600 \u00f1"),
    ("x/y 3.5 50%", "x / y 3.5 50 %"),
    (" two  blanks   here ", "two blanks here"),
    ("x.", "x ."),
    ("", ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def prefixes() -> dict[str, bool]:
    rows = [line.split() for line in find_sources().read_prefixes()]
    return {row[0]: len(row) > 1 for row in rows}


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_lines(line: str, expected: str, prefixes: dict[str, bool]) -> None:
    assert normalise_lines([line], prefixes=prefixes) == [expected]


def test_marks_between_references_are_no_words(prefixes: dict[str, bool]) -> None:
    # The COCO caption evaluation removes them before it asks the program, whose lines they would break.
    assert normalise_lines(["a ||| b", "|||"], prefixes=prefixes) == ["a b", ""]


@pytest.mark.parametrize(
    ("word", "expected"),
    [("dog", True), ("3d", True), ("Dog", False), ("'s", False), ("caf\u00e9", False), ("", False)],
)
def test_plain_words(word: str, expected: bool) -> None:
    assert is_plain(word) == expected


@given(words=st.lists(st.from_regex("[a-z0-9]+", fullmatch=True)))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    assert normalise_lines([" ".join(words)], prefixes={"dr": False}) == [" ".join(words)]
