"""Tests of word agreement: counts by hand, the model of Chen et al. (2015), and the fit against a search over p."""

from math import comb, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.words import (
    WordAgreement,
    count_words,
    fit_probability,
    measure_word_agreement,
    model_precision,
    rank_words,
)

CAPTIONS = {
    "one": ("A dog, a dog.", "dog runs", "the cat"),
    "two": ("dog", "cat", "bird", "a fourth caption is not used"),
    "lone": ("dog", "cat"),
}


def test_counts_are_of_captions_and_not_of_mentions():
    counts = count_words(CAPTIONS, n_references=2)

    assert counts.by_image["one"] == {"a": 1, "dog": 2, "runs": 1, "the": 1, "cat": 1}
    assert counts.by_word["dog"] == (1, 1, 0)
    assert counts.by_word["cat"] == (2, 0, 0)
    assert "fourth" not in counts.by_word
    assert (counts.n_references, counts.n_dropped) == (2, 1)
    assert rank_words(counts) == ["cat", "dog", "a", "bird", "runs", "the"]


def test_agreement_by_hand():
    counts = count_words(CAPTIONS, n_references=2)

    (dog,) = measure_word_agreement(counts, ["dog"])

    # Image one: each of its two captions with the word finds it in one reference: 2 right; the third caption lacks it
    # twice. Image two: one caption has it and no reference does: 1 wrong, and each other caption lacks it once.
    assert (dog.precision, dog.recall) == (2 / 3, 2 / (2 + 2 + 2))
    assert (dog.n_images, dog.n_references) == (2, 2)


def brute_force(by_image, word, k):
    """Hp and Hr by leaving out each caption in turn."""
    right = wrong = held = 0
    for captions in by_image:
        for place, caption in enumerate(captions):
            references = sum(word in other for other in captions[:place] + captions[place + 1 :])
            held += references
            if word in caption:
                right += references
                wrong += references == 0
    return right / (right + wrong), right / held


@given(st.lists(st.lists(st.sets(st.sampled_from("abc")), min_size=4, max_size=4), min_size=1, max_size=8))
def test_agreement_equals_leaving_out_each_caption_in_turn(images):
    captions = {str(number): [" ".join(sorted(words)) for words in image] for number, image in enumerate(images)}
    counts = count_words(captions, n_references=3, tokenize=list)

    for found in measure_word_agreement(counts):
        assert (found.precision, found.recall) == pytest.approx(brute_force(images, found.word, 3))
        assert 0 <= found.probability <= 1


def test_model_is_that_of_the_paper():
    # pk / (pk + (1 - p)^k) with p = 1/2, k = 4: 2 / (2 + 1/16).
    assert model_precision(0.5, n_references=4) == pytest.approx(32 / 33)
    assert [model_precision(p, n_references=4) for p in (0.0, 1.0)] == [0.0, 1.0]
    assert WordAgreement("w", 4, 1, 0.5, 0.5, 0.5).model_precision == pytest.approx(32 / 33)


def test_fit_is_the_likeliest_probability():
    images = (40, 25, 10, 4, 2)
    n = len(images)

    def likelihood(p):
        missed = (1 - p) ** n
        return sum(
            count * log(comb(n, m) * p**m * (1 - p) ** (n - m) / (1 - missed)) for m, count in enumerate(images, 1)
        )

    grid = np.linspace(0.001, 0.999, 9981)
    assert fit_probability(images) == pytest.approx(grid[np.argmax([likelihood(p) for p in grid])], abs=1e-4)


def test_fit_finds_the_probability_that_made_the_counts():
    counts = np.random.default_rng(3).binomial(5, 0.3, size=200_000)

    images = [int((counts == m).sum()) for m in range(1, 6)]

    assert fit_probability(images) == pytest.approx(0.3, abs=0.002)


@pytest.mark.parametrize(("images", "probability"), [((3, 0, 0), 0.0), ((0, 0, 7), 1.0)])
def test_fit_at_the_bounds(images, probability):
    assert fit_probability(images) == probability


def test_what_cannot_be_counted_is_said():
    counts = count_words(CAPTIONS, n_references=2)

    with pytest.raises(ProbeError, match="word 'horse' is in none of the captions of 2 images"):
        measure_word_agreement(counts, ["horse"])
    with pytest.raises(ProbeError, match="needs an image with 6 captions, got none"):
        count_words(CAPTIONS, n_references=5)
    with pytest.raises(ProbeError, match="at least 1 reference, got 0"):
        count_words(CAPTIONS, n_references=0)
