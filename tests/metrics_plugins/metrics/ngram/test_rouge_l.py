"""Tests of ROUGE-L against the COCO caption evaluation."""

import math

import numpy as np
import pytest

from metrics_plugins.metrics.ngram.rouge_l import measure_common_subsequences
from metrics_plugins.text.tokens import split_at_blanks
from tests.metrics_plugins.metrics.ngram.tokenized import GOLDEN, make_golden_batch, run, score


def test_segments_and_corpus_equal_golden() -> None:
    result = run("rouge-l", make_golden_batch())

    expected = [image["rouge_l"] for image in GOLDEN["images"]]
    assert result.scores.values.tolist() == pytest.approx(expected, abs=1e-9, rel=0)
    assert result.corpus == pytest.approx(GOLDEN["corpus"]["rouge_l"], abs=1e-9, rel=0)


def test_published_number_of_nlg_eval() -> None:
    pair = ("this is a good test", ["this is a test", "this is also a test"])

    assert score("rouge-l", [pair]) == pytest.approx([0.9070631], abs=1e-6)


def test_precision_and_recall_come_from_different_references() -> None:
    # P = 2/3 from the first, R = 1 from the second: F = 2.44 P R / (R + 1.44 P).
    expected = 2.44 * (2 / 3) / (1 + 1.44 * 2 / 3)

    assert score("rouge-l", [("a b c", ["a b d e f", "c"])]) == pytest.approx([expected], abs=1e-15)


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),
    [
        ("", ["a dog"], 0.0),
        ("", ["a dog", ""], 1.0),  # both are one empty token
        ("a dog", [""], 0.0),
        ("cat", ["a dog"], 0.0),
        ("a\u00a0b", ["a\u00a0b"], 1.0),
        ("a\u00a0b", ["a b"], 0.0),  # split at the blank only
    ],
)
def test_odd_captions(candidate: str, references: list[str], expected: float) -> None:
    assert score("rouge-l", [(candidate, references)]) == [expected]


def test_row_without_references_has_no_score() -> None:
    values = score("rouge-l", [("a dog", []), ("a dog", ["a dog"])])

    assert math.isnan(values[0])
    assert values[1] == 1.0


def test_words_compare_alike_as_letters_and_as_numbers() -> None:
    lines = ["a b c d", "d c b a", "a x c y", "", "b b a b"]
    tokens = split_at_blanks(lines)
    firsts, seconds = (places.ravel() for places in np.meshgrid(range(5), range(5), indexing="ij"))

    as_letters = measure_common_subsequences(tokens, firsts, seconds)
    as_numbers = measure_common_subsequences(tokens, firsts, seconds, limit=0)

    assert as_letters.tolist() == as_numbers.tolist()
    assert as_letters.tolist() == [4, 1, 2, 0, 2, 1, 4, 1, 0, 2, 2, 1, 4, 0, 1, 0, 0, 0, 1, 0, 2, 2, 1, 0, 4]


def test_word_numbers_in_the_surrogate_range_are_compared() -> None:
    # Word numbers pass through the surrogates, which are no letters by themselves.
    words = [f"w{number}" for number in range(0xD700, 0xE100)]
    lines = [" ".join(f"w{number}" for number in range(0xD700)), " ".join(words), " ".join(reversed(words))]
    tokens = split_at_blanks(lines)

    lengths = measure_common_subsequences(tokens, np.array([1, 1, 0]), np.array([1, 2, 1]))

    assert lengths.tolist() == [len(words), 1, 0]


def test_signature() -> None:
    assert str(run("rouge-l", make_golden_batch()).signature) == "rouge-l|tok:blanks|beta:1.2|v:1"
