import itertools

import numpy as np
import pytest
import torch
from scipy import stats
from torch.utils._python_dispatch import TorchDispatchMode

from captioning.decoding.generators.synonyms import Synonyms
from captioning.decoding.generators.word_vectors import WordVectorSettings, train_word_vectors
from metrics_plugins.text.vocabulary import Vocabulary

torch.set_num_threads(1)

COLORS = ("red", "green", "blue")
SHAPES = ("circle", "square", "cross")
LINES = [f"there is a {color} {shape}" for color, shape in itertools.product(COLORS, SHAPES)] * 5
SETTINGS = WordVectorSettings(dimension=8, window=2, epochs=40, batch=32, rate=0.03)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_words_in_the_same_contexts_are_neighbours() -> None:
    vocabulary = Vocabulary.count(LINES, size=20)
    vectors = train_word_vectors(LINES, vocabulary=vocabulary, settings=SETTINGS, generator=seeded())
    assert vectors.shape == (len(vocabulary.words), 8)
    assert vectors.dtype == np.float32
    synonyms = Synonyms.find(vectors, k=2)
    for kind in (COLORS, SHAPES):
        for word in kind:
            row = synonyms.ids[4 + vocabulary.words.index(word)]
            assert {vocabulary.words[number - 4] for number in row.tolist()} == set(kind) - {word}


def test_training_follows_the_generator() -> None:
    vocabulary = Vocabulary.count(LINES, size=20)
    settings = WordVectorSettings(dimension=4, epochs=1)
    first, again, other = (
        train_word_vectors(LINES, vocabulary=vocabulary, settings=settings, generator=seeded(seed))
        for seed in (0, 0, 1)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    with pytest.raises(ValueError, match="at least two words of the vocabulary"):
        train_word_vectors(["red", "x y"], vocabulary=vocabulary, generator=seeded())


def test_unknown_words_are_as_if_they_were_not_there() -> None:
    vocabulary = Vocabulary.count(LINES, size=20)
    with_unknown = [line.replace(" is ", " is zebra ") for line in LINES]
    settings = WordVectorSettings(dimension=4, epochs=1)
    first = train_word_vectors(LINES, vocabulary=vocabulary, settings=settings, generator=seeded())
    second = train_word_vectors(with_unknown, vocabulary=vocabulary, settings=settings, generator=seeded())
    assert np.array_equal(first, second)


def test_neighbours_are_weighted_by_cosine() -> None:
    vectors = np.array([[1, 0], [2, 0], [1, 1], [-1, 0]], dtype=np.float32)
    synonyms = Synonyms.find(vectors, k=3)
    assert synonyms.ids[4].tolist() == [5, 6, 7]
    half = 0.5**0.5
    np.testing.assert_allclose(synonyms.weights[4], np.array([1, half, 0]) / (1 + half), rtol=1e-6)
    assert synonyms.weights[7].tolist() == pytest.approx([1 / 3] * 3)  # all cosines are negative
    assert Synonyms.find(vectors, k=10).ids.shape == (8, 3)


@pytest.mark.parametrize("words_at_once", [1, 7, 64])
def test_neighbours_are_the_same_in_blocks_of_any_size(words_at_once, monkeypatch) -> None:
    monkeypatch.setattr("captioning.decoding.generators.synonyms.WORDS_AT_ONCE", words_at_once)
    vectors = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    found = Synonyms.find(vectors, k=4)
    rows = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = rows @ rows.T - 3 * np.eye(30)
    expected = np.argsort(-cosines, axis=1)[:, :4]
    assert found.ids[4:].tolist() == (expected + 4).tolist()
    weights = np.take_along_axis(cosines, expected, axis=1).clip(0)
    np.testing.assert_allclose(found.weights[4:], weights / weights.sum(axis=1, keepdims=True), rtol=1e-5)


def test_no_matrix_of_all_pairs_is_made() -> None:
    sizes = []

    class SizeRecorder(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            sizes.extend(each.numel() for each in (result if isinstance(result, tuple | list) else (result,)))
            return result

    with SizeRecorder():
        Synonyms.find(np.eye(1500, 2, dtype=np.float32))
    assert 0 < max(sizes) < 1500 * 1500 / 2


def test_the_only_word_of_a_vocabulary_stays() -> None:
    synonyms = Synonyms.find(np.array([[-1.0, 2.0]], dtype=np.float32))
    ids = torch.tensor([[4, 4, 3, 0]])
    assert torch.equal(synonyms.switch(ids, probabilities=torch.ones(1), generator=seeded()), ids)


def test_words_are_switched_with_their_probability_by_their_weights() -> None:
    vectors = np.array([[1, 0], [2, 0], [1, 1], [0, 1]], dtype=np.float32)
    synonyms = Synonyms.find(vectors, k=2)
    ids = torch.tensor([[4, 3, 0]] * 20_000 + [[1, 3, 0]] * 10)
    probabilities = torch.full((20_010,), 0.3)
    switched = synonyms.switch(ids, probabilities=probabilities, generator=seeded(1))
    assert torch.equal(switched[:, 1:], ids[:, 1:])
    assert torch.equal(switched[-10:], ids[-10:])
    observed = torch.bincount(switched[:20_000, 0], minlength=8)[4:7]
    first, second = synonyms.weights[4].tolist()
    assert stats.chisquare(observed, 20_000 * np.array([0.7, 0.3 * first, 0.3 * second])).pvalue > 0.01
