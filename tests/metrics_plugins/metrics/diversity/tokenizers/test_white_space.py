"""Tests of the tokeniser that leaves captions unchanged."""

from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer
from tests.metrics_plugins.metrics.diversity.sets import load_bundled_registry


def test_words_are_kept_and_joined_by_blanks() -> None:
    captions = ["A man's  dog.", "\ta\nb\u2028c ", "", " "]

    assert WhiteSpaceTokenizer().tokenize(captions) == ["A man's dog.", "a b c", "", ""]


def test_it_is_provided_by_name() -> None:
    assert load_bundled_registry().get_tokenizer("white-space") == WhiteSpaceTokenizer()
