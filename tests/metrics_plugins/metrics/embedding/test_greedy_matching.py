"""Tests of greedy matching by hand, and of the idf of tokens."""

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenVectors
from metrics_plugins.metrics.embedding.greedy_matching import Matches, derive_matches, learn_idf


class Letters:
    """Each letter is a token on a circle; `[` and `]` are special."""

    name = "letters"
    digest = "1"
    dimension = 2

    def encode(self, inputs):
        raise NotImplementedError

    def tokenize(self, texts):
        return Ragged.from_rows([[ord(letter) - 97 for letter in text] for text in texts])

    def encode_tokens(self, texts):
        rows = [f"[{text}]" for text in texts]
        angles = np.radians(
            [{"[": 270, "]": 270}.get(letter, 10 * (ord(letter) - 97)) for row in rows for letter in row]
        )
        return TokenVectors(
            # The length of a vector does not matter.
            vectors=(3 * np.column_stack([np.cos(angles), np.sin(angles)])).astype(np.float32),
            offsets=np.cumsum([0, *(len(row) for row in rows)]),
            ids=np.array([max(ord(letter) - 97, 0) for row in rows for letter in row]),
            is_special=np.array([letter in "[]" for row in rows for letter in row]),
        )


def _cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


def test_by_hand() -> None:
    batch = Batch.make("01", candidates=["ad", "ad"], references=[["ab"], ["d", ""]])

    found = derive_matches(batch, Letters())

    # a finds a (0 degrees) and d finds b (20); a finds a and b finds a (10).
    precision = [(1 + _cosine(20)) / 2, (1 + _cosine(30)) / 2, 0.0]
    recall = [(1 + _cosine(10)) / 2, 1.0, 0.0]
    np.testing.assert_allclose(found.precision, precision, atol=1e-6)
    np.testing.assert_allclose(found.recall, recall, atol=1e-6)
    harmonic = [2 * p * r / (p + r) if p else 0.0 for p, r in zip(precision, recall, strict=True)]
    np.testing.assert_allclose(found.f1, harmonic, atol=1e-6)


def test_weighted_by_hand() -> None:
    batch = Batch.make("0", candidates=["ad"], references=[["ab"]])
    weights = learn_idf(Letters().tokenize(["a", "ab", "ac"]))

    found = derive_matches(batch, Letters(), weights=weights)

    # a is in all of 3 texts, b in one, d in none.
    assert weights.weigh(np.array([0, 1, 3])).tolist() == pytest.approx([0.0, np.log(4 / 2), np.log(4)])
    np.testing.assert_allclose(found.precision, [_cosine(20)], atol=1e-6)
    np.testing.assert_allclose(found.recall, [_cosine(10)], atol=1e-6)


def test_f1_is_zero_where_a_part_is_not_positive() -> None:
    matches = Matches(precision=np.array([0.5, -0.2, 0.0]), recall=np.array([0.5, 0.3, 0.0]))

    assert matches.f1.tolist() == [0.5, 0.0, 0.0]


def test_more_pairs_than_are_matched_at_once() -> None:
    texts = [chr(97 + number % 7) + chr(97 + number // 7 % 26) * (number % 5) for number in range(3000)]
    batch = Batch.make(map(str, range(3000)), candidates=texts, references=[["abc"]] * 3000)

    together = derive_matches(batch, Letters()).f1
    alone = derive_matches(batch.select([2900]), Letters()).f1

    assert together[2900] == alone[0]
    assert len(set(together.tolist())) > 100


class Counting(Letters):
    """Remembers what it encoded."""

    def __init__(self):
        self.encoded = []

    def encode_tokens(self, texts):
        self.encoded.extend(texts)
        return super().encode_tokens(texts)


def test_references_are_encoded_once_wherever_their_rows_stand() -> None:
    images = [chr(97 + image) for image in range(20)]
    references = [[image * 2, image * 3] for image in images] * 120
    batch = Batch.make(map(str, range(2400)), candidates=[f"{row:b}" for row in range(2400)], references=references)
    encoder = Counting()

    derive_matches(batch, encoder)

    # The two of an image at most are needed again at each of two places where 4,800 pairs are cut.
    assert sum(text[0] in images for text in encoder.encoded) <= 44


def test_candidates_are_encoded_once_beside_references_that_were_candidates_before() -> None:
    captions = [[chr(97 + image) * n for n in range(1, 6)] for image in range(20)]
    shuffled = np.random.default_rng(0).permutation([text for own in captions for text in own]).tolist()
    batch = Batch.make(
        map(str, range(500)),
        candidates=[*shuffled, *(f"{row:b}" for row in range(400))],
        references=captions * 25,
    )
    encoder = Counting()

    derive_matches(batch, encoder)

    # Those of one image at most are needed again where 2,500 pairs are cut.
    assert sum(text[0] in "01" for text in encoder.encoded) <= 420


def test_nothing_to_learn_from() -> None:
    weights = learn_idf(Ragged.from_rows([]))

    assert weights.weigh(np.array([0, 5])).tolist() == [0.0, 0.0]
