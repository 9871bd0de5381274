"""Tests of the installed word vectors."""

import pickle

import numpy as np
import pytest

from metrics_plugins.metrics.word_movers.vectors import load_glove


def test_glove_as_published() -> None:
    # The first numbers of the line "the" of glove.6B.50d.txt (Pennington et al. 2014).
    (vector,) = load_glove().encode(["the"])

    assert vector[:3].tolist() == pytest.approx([0.418, 0.24968, -0.41242], abs=1e-6)
    assert vector.shape == (50,)


def test_an_unknown_word_has_no_vector() -> None:
    found = load_glove().encode(["dog", "zzqxv", "", "dog"])

    assert np.isnan(found).all(axis=1).tolist() == [False, True, True, False]
    assert np.array_equal(found[0], found[3])
    assert load_glove().encode([]).shape == (0, 50)


def test_pickled_vectors_do_not_contain_the_table() -> None:
    vectors = load_glove()
    before = vectors.encode(["dog"])
    sent = pickle.dumps(vectors)

    assert len(sent) < 2_000
    assert np.array_equal(pickle.loads(sent).encode(["dog"]), before)  # noqa: S301


def test_the_same_content_has_the_same_digest() -> None:
    assert load_glove().digest == load_glove().digest
