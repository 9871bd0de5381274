"""Tests of tokens, words and captions as numbers."""

import numpy as np

from metrics_plugins.metrics.critics.lstm.model.captions import split_captions
from metrics_plugins.runtime import load_registry
from metrics_plugins.text.vocabulary import Vocabulary

DOG = Vocabulary(("a", "dog", "runs"))  # numbers 4, 5 and 6, after <pad>, <unk>, <sos> and <eos>


def test_tokens_lose_pieces_of_punctuation() -> None:
    tokenizer = load_registry().get_tokenizer("nltk-words")

    lines = split_captions(["A dog's ball, (red) ... runs!", "", "?!", "rock-and-roll & more"], tokenizer)

    # "?!" comes as two tokens, and each is a piece of string.punctuation; "..." is none, nor is "'s".
    assert lines == ["a dog 's ball red ... runs", "", "", "rock-and-roll more"]


def test_words_are_the_most_frequent_ones() -> None:
    vocabulary = Vocabulary.count(["b a", "b c", "a <eos>", "d"], size=3)

    assert vocabulary == Vocabulary(("a", "b", "c"))
    assert len(vocabulary) == 7


def test_captions_end_with_their_mark() -> None:
    encoded = DOG.encode(["a dog", "", "a cat runs"], steps=5, long="cut")

    assert encoded.ids.tolist() == [[4, 5, 3, 0, 0], [3, 0, 0, 0, 0], [4, 1, 6, 3, 0]]
    assert encoded.ends.tolist() == [2, 0, 3]


def test_long_captions_are_cut() -> None:
    encoded = DOG.encode(["a dog runs", "a dog runs runs"], steps=3, long="cut")

    assert encoded.ids.tolist() == [[4, 5, 3], [4, 5, 3]]
    assert encoded.ends.tolist() == [2, 2]


def test_long_and_empty_captions_have_no_end_in_the_paper() -> None:
    encoded = DOG.encode(["a dog", "a dog runs", "a dog runs runs", ""], steps=3, long="paper")

    assert encoded.ids.tolist() == [[4, 5, 3], [4, 5, 6], [4, 5, 6], [0, 0, 0]]
    assert encoded.ends.tolist() == [2, -1, -1, -1]


def test_trimming_leaves_steps_up_to_the_last_end() -> None:
    trimmed = DOG.encode(["a", "a dog"], steps=9, long="cut").trim()

    np.testing.assert_array_equal(trimmed.ids, [[4, 3, 0], [4, 5, 3]])


def test_rare_words_can_be_left_out() -> None:
    assert Vocabulary.count(["b a", "b c c", "a b"], min_count=2).words == ("b", "a", "c")
    assert Vocabulary.count(["b a", "b c c", "a b"], min_count=3).words == ("b",)
