"""Tests of the tokeniser `nltk-words` against the program that defines it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from metrics_plugins.metrics.chair.nltk_words import NltkWordsTokenizer

PIECES = st.sampled_from([*"ab .,'\"!?-()", "cannot", "gonna", "wanna", "whatcha", "...", " ", "dog", "é", "\u2028"])
TEXTS = st.text(st.characters(), max_size=20) | st.lists(PIECES, max_size=10).map("".join)


@given(caption=TEXTS)
@settings(deadline=None)
def test_tokens_are_those_of_nltk(caption: str) -> None:
    (line,) = NltkWordsTokenizer().tokenize([caption])

    assert line == " ".join(NLTKWordTokenizer().tokenize(caption.lower()))


@pytest.mark.parametrize(
    ("caption", "line"),
    [
        ("A dog runs.", "a dog runs ."),
        ("A dog. A cat.", "a dog. a cat ."),  # one sentence: only the last full stop is a token
        ("two  dogs", "two dogs"),
        ("you cannot", "you can not"),
        ("", ""),
        (" . ", "."),
    ],
)
def test_captions(caption: str, line: str) -> None:
    assert NltkWordsTokenizer().tokenize([caption]) == [line]
