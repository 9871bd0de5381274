"""Tests of precision and recall of words, on tokens with known cosines."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenVectors
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary
from metrics_plugins.metrics.critics.reference.words import (
    match_texts,
    measure_words,
    round_tokens,
    support_each_other,
)

# Right angles but for "dog" and "puppy", whose cosine is 0.6.
VECTORS = {"dog": (2.0, 0.0, 0.0, 0.0), "puppy": (0.6, 0.8, 0.0, 0.0), "runs": (0, 0, 3.0, 0), "red": (0, 0, 0, 1.0)}


@dataclass(frozen=True, slots=True)
class WordEncoder:
    """Each word is a token; a text may have none."""

    name: str = "words"
    digest: str = "words"
    dimension: int = 4

    def encode(self, inputs: Sequence[object]) -> np.ndarray:
        return np.ones((len(inputs), 4), np.float32)

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        names = list(VECTORS)
        return Ragged.from_rows([[names.index(word) for word in text.split()] for text in texts])

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        ids = self.tokenize(texts)
        return TokenVectors(
            vectors=np.array(list(VECTORS.values()), np.float32)[ids.values].reshape(-1, 4),
            offsets=ids.offsets,
            ids=ids.values,
            is_special=np.zeros(len(ids.values), dtype=np.bool_),
        )


# "dog" is common and is expected to be supported; "puppy" is unknown.
VOCABULARY = Vocabulary(
    ids=np.array([0, 2, 3]),
    expected=np.array([0.75, 0.5, 0.5, 0.25], np.float32),
    rarity=np.array([0.25, 0.5, 0.5, 1.0], np.float32),
)


def measure(candidate: str, *references: str) -> list[float]:
    """Return precision and recall."""
    return measure_all(candidate, *references)[:2]


def measure_all(candidate: str, *references: str) -> list[float]:
    batch = Batch.make(["x"], candidates=[candidate], references=[references])
    return measure_words(batch, WordEncoder(), VOCABULARY)[0].tolist()


@pytest.mark.parametrize(
    ("candidate", "references", "support", "content", "rare"),
    [
        ("dog runs", ["dog runs"], 0.25 + 0.5, 0.75, 1.0),
        # A wrong word costs the more, the more support it could expect.
        ("dog runs", ["dog red"], 0.25 - 0.5, 0.75, 0.25 / 0.75),
        ("dog runs", ["runs red"], -0.75 + 0.5, 0.75, 0.5 / 0.75),
        ("puppy", ["dog"], 0.6 - 0.25, 1.0, 0.6),
        # What is said twice counts twice.
        ("dog dog", ["dog"], 0.5, 0.5, 1.0),
        ("", ["dog"], 0.0, 0.0, 0.0),
    ],
)
def test_support_is_compared_with_what_is_expected(
    candidate: str, references: list[str], support: float, content: float, rare: float
) -> None:
    assert measure_all(candidate, *references)[2:] == pytest.approx([support, content, rare], abs=1e-6)


def test_support_of_texts_by_each_other() -> None:
    tokens = round_tokens(WordEncoder().encode_tokens(["dog runs", "puppy", "", "red"]))

    support, recall = support_each_other(tokens)

    np.testing.assert_allclose(support, [0.6, 0.0, 0.6, 0.0], atol=1e-6)
    expected = [[-1, 0.6, 0, 0], [0.3, -1, 0, 0], [0, 0, -1, 0], [0, 0, 0, -1]]
    np.testing.assert_allclose(recall, expected, atol=1e-6)


def test_products_are_exact_for_matrices_of_any_shape() -> None:
    rng = np.random.default_rng(0)
    found = TokenVectors(
        vectors=rng.normal(size=(40, 384)).astype(np.float32),
        offsets=np.arange(0, 41, 4),
        ids=np.zeros(40, np.int64),
        is_special=np.zeros(40, np.bool_),
    )
    tokens = round_tokens(found)

    whole = match_texts(tokens, tokens)

    for text in range(10):
        alone = match_texts(tokens.take(np.array([text])), tokens)
        np.testing.assert_array_equal(alone.support, whole.support[4 * text : 4 * text + 4])
        np.testing.assert_array_equal(alone.recall, whole.recall[text : text + 1])


@pytest.mark.parametrize(
    ("candidate", "references", "precision", "recall"),
    [
        ("dog runs", ["dog runs"], 1.0, 1.0),
        ("dog", ["puppy"], 0.6, 0.6),
        # One reference supports the one word, the other the other; each is covered by half.
        ("dog runs", ["dog red", "runs red"], 1.0, 0.5),
        # References count alike, however long they are.
        ("dog", ["dog", "red red red"], 1.0, 0.5),
        ("dog red red", ["puppy"], 0.2, 0.6),
    ],
)
def test_words_are_supported_by_all_references_and_each_is_covered(
    candidate: str, references: list[str], precision: float, recall: float
) -> None:
    assert measure(candidate, *references) == pytest.approx([precision, recall], abs=1e-6)


def test_precision_is_at_most_that_of_a_reference_beside_the_others() -> None:
    # The others support "dog" of two references by 0.6, and nothing else.
    references = ["dog", "puppy", "runs", "red"]

    assert measure("dog", *references) == pytest.approx([0.6, (0.6 + 0.6) / 4], abs=1e-6)
    assert measure("puppy runs", *references)[0] == pytest.approx(0.6, abs=1e-6)
    assert measure("puppy runs dog", *references, "dog dog")[0] == pytest.approx(1.0, abs=1e-6)


def test_recall_of_a_reference_is_at_most_the_largest_that_another_has_of_it() -> None:
    # Another says as much of all but "red red", of which none says a word.
    assert measure("dog runs red", "dog runs", "dog", "runs dog", "red red")[1] == pytest.approx(3 / 4, abs=1e-6)
    assert measure("red", "dog runs", "dog", "runs dog", "red red")[1] == 0.0


def test_three_references_with_words_are_too_few_for_a_ceiling() -> None:
    assert measure("dog", "dog", "red", "runs") == pytest.approx([1.0, 1 / 3], abs=1e-6)
    assert measure("dog", "dog", "red", "runs", "") == pytest.approx([1.0, 1 / 4], abs=1e-6)


def test_text_without_words_supports_nothing_and_is_not_supported() -> None:
    assert measure("", "dog") == [0.0, 0.0]
    assert measure("dog", "") == [0.0, 0.0]
    assert measure("dog", "", "dog") == pytest.approx([1.0, 0.5])


def test_row_without_references_is_told_apart_from_one_that_agrees_with_none() -> None:
    batch = Batch.make("abc", candidates=["dog", "dog", "dog"], references=[["dog"], [], ["red"]])

    found = measure_words(batch, WordEncoder(), VOCABULARY)

    np.testing.assert_allclose(found[:, :2], [[1, 1], [np.nan, np.nan], [0, 0]], atol=1e-6)
    assert np.isnan(found[1]).all()
