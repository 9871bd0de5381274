"""Tests of words and spans of captions with the small lexicon."""

import pytest

from metrics_plugins.metrics.meteor.captions import hash_words
from metrics_plugins.metrics.meteor.lexicon import Lexicon
from tests.metrics_plugins.metrics.meteor.tiny import read_lines


@pytest.mark.parametrize(
    # Java: "".hashCode() and so on, as the language defines them, here without their sign.
    ("word", "code"),
    [("", 0), ("a", 97), ("an", 3117), ("c0", 3117), ("dog", 99644), ("\U0001f600", 0xD83D * 31 + 0xDE00)],
)
def test_hash_codes(word: str, code: int) -> None:
    assert hash_words([word]).tolist() == [code]


def test_hash_code_of_a_long_word_stays_within_32_bits() -> None:
    assert hash_words(["polygenelubricants"]).tolist() == [1 << 31]  # in Java famous for being the smallest integer


def test_words_and_function_words(lexicon: Lexicon) -> None:
    captions = read_lines(["A big dog.", "", "the"], lexicon)

    words = [captions.tokens.words[number] for number in captions.tokens.ids]
    assert words == ["a", "big", "dog", ".", "the"]
    assert captions.n_words.tolist() == [4, 0, 1]
    assert captions.function_counts.tolist() == [0, 1, 1, 1, 2, 3]


def test_spans_are_words_and_phrases_with_a_partner(lexicon: Lexicon) -> None:
    captions = read_lines(["a dog", "one dog", "big dog runs"], lexicon)

    def list_spans(text: int) -> list[tuple[int, int]]:
        places = slice(captions.offsets[text], captions.offsets[text + 1])
        lengths = captions.lengths[captions.spans[places]]
        return list(zip(captions.starts[places].tolist(), lengths.tolist(), strict=True))

    assert list_spans(0) == [(0, 1), (0, 2), (1, 1)]
    assert list_spans(1) == [(0, 1), (0, 2), (1, 1)]
    assert list_spans(2) == [(0, 1), (0, 2), (0, 3), (1, 1), (2, 1)]
    assert captions.edges[2].tolist() == [0, 2, 4]  # dog -> big dog, a dog -> one dog, big dog runs -> dog
    assert read_lines(["a dog"], lexicon).edges[2].tolist() == []  # its paraphrases do not occur


def test_captions_with_equal_words_have_the_same_number(lexicon: Lexicon) -> None:
    captions = read_lines(["a dog", "A Dog", "dog a", "an x", "c0 x", ""], lexicon)

    assert captions.kinds.tolist() == [0, 0, 1, 2, 2, 3]
