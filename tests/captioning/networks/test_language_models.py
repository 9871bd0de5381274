import itertools

import numpy as np
import pytest
import torch

from captioning.networks.language_models import (
    LanguageDecoder,
    LstmModel,
    LstmModelSettings,
    UnigramModel,
    train_lstm_model,
)
from metrics_plugins.text.vocabulary import Vocabulary

torch.set_num_threads(1)

LINES = ("a dog runs", "a cat", "a dog", "the dog runs", "")
SMALL = LstmModelSettings(hidden=16, embedding=8, dropout=0.1, epochs=30, batch=4, rate=0.02, decay=1.0)


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_unigram_probabilities_are_relative_frequencies_with_the_end() -> None:
    model = UnigramModel(LINES, vocabulary=Vocabulary.count(LINES, size=4))
    # 10 words, of which "the" is outside the vocabulary, and 5 ends.
    assert model.vocabulary.words == ("a", "dog", "runs", "cat")
    scores = model.score(["a dog", "the cat", "", "new"])
    expected = np.log([3 / 15 * 3 / 15 * 5 / 15, 1 / 15 * 1 / 15 * 5 / 15, 5 / 15, 1 / 15 * 5 / 15])
    np.testing.assert_allclose(scores, expected)


def test_an_unknown_word_has_a_positive_probability() -> None:
    model = UnigramModel(LINES, vocabulary=Vocabulary.count(LINES, size=10))
    np.testing.assert_allclose(model.score(["zebra"]), [np.log(1 / 16 * 5 / 16)])


def test_the_lstm_gives_probabilities_to_all_captions_that_sum_to_one() -> None:
    vocabulary = Vocabulary(("a", "b"))
    model = train_lstm_model(
        ["a b", "a", "b a"], vocabulary=vocabulary, settings=LstmModelSettings(hidden=4, epochs=2), generator=seeded()
    )
    # With the unknown word, written by a word outside the vocabulary.
    words = ("a", "b", "x")
    total = 0.0
    for length in range(4):
        lines = [" ".join(each) for each in itertools.product(words, repeat=length)]
        total += np.exp(model.score(lines)).sum()
    prefixes = encode_prefixes(model, length=4)
    assert total + prefixes == pytest.approx(1, abs=1e-5)


def encode_prefixes(model: LstmModel, *, length: int) -> float:
    """Return the probability of all captions of at least `length` words."""
    ids = torch.tensor(list(itertools.product((1, 4, 5), repeat=length)))
    with torch.no_grad():
        return float(model.decoder.score_words(ids).sum(dim=1).exp().sum())


def test_the_lstm_learns_which_word_follows_which() -> None:
    vocabulary = Vocabulary.count(LINES, size=10)
    model = train_lstm_model(LINES, vocabulary=vocabulary, settings=SMALL, generator=seeded())
    known, permuted = model.score(["a dog runs", "runs a dog"])
    assert known > permuted + 2
    unigram = UnigramModel(LINES, vocabulary=vocabulary)
    assert model.score(LINES).sum() > unigram.score(LINES).sum()
    np.testing.assert_allclose(np.diff(unigram.score(["a dog runs", "runs a dog"])), 0, atol=1e-12)


def test_training_is_the_same_for_the_same_generator() -> None:
    vocabulary = Vocabulary.count(LINES, size=10)
    settings = LstmModelSettings(hidden=4, embedding=3, epochs=2, batch=2)
    scores = [
        train_lstm_model(LINES, vocabulary=vocabulary, settings=settings, generator=seeded(seed)).score(LINES)
        for seed in (1, 1, 2)
    ]
    assert scores[0].tolist() == scores[1].tolist()
    assert scores[0].tolist() != scores[2].tolist()
    with pytest.raises(ValueError, match="at least one caption"):
        train_lstm_model([], vocabulary=vocabulary, generator=seeded())


def test_a_score_does_not_depend_on_the_other_captions() -> None:
    vocabulary = Vocabulary.count(LINES, size=10)
    decoder = LanguageDecoder(n_words=len(vocabulary), embedding=3, hidden=4, dropout=0.0)
    model = LstmModel(decoder, vocabulary=vocabulary)
    together = model.score([*LINES, "a dog"])
    np.testing.assert_allclose(together[:5], [model.score([line])[0] for line in LINES], atol=1e-6)
    assert together[5] == together[2]
