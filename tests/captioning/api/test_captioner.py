"""Tests of the declaration of a captioner and of what the base class answers."""

import numpy as np
import pytest

from captioning.api import CaptionBatch, Captioner, CaptionerError, CaptionerInfo, CaptionScores, ImageInput, Images

INFO = {"id": "fixed", "title": "Fixed", "inputs": frozenset[ImageInput](), "version": "1", "citation": "none"}


class Fixed(Captioner):
    info = CaptionerInfo(**INFO)

    def caption(self, images, *, n=1, decoding=None, rng):
        return CaptionBatch(images.keys, tuple(("a dog",) * n for _ in images.keys), np.full((len(images), n), np.nan))


class Context:
    device = "cpu"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "Fixed One"}, "captioner id must be lower-case words joined by hyphens, got 'Fixed One'"),
        ({"inputs": {"pixels"}}, "inputs of captioner 'fixed' must be a frozenset of ImageInput"),
        ({"title": ""}, "title of captioner 'fixed' must not be empty"),
    ],
)
def test_an_invalid_declaration_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        CaptionerInfo(**{**INFO, **change})


def test_a_captioner_without_probabilities_says_so():
    captioner = Fixed.build(Context())

    assert captioner.describe() == {}
    with pytest.raises(CaptionerError, match="captioner 'fixed' gives no probabilities"):
        captioner.score(Images(keys=("sea",)), ["a boat"])


def test_a_captioner_that_is_not_trained_is_read_from_no_folder(tmp_path):
    with pytest.raises(CaptionerError, match="captioner 'fixed' is not read from a folder"):
        Fixed.build(Context(), folder=tmp_path)


def test_the_mean_log_probability_is_that_of_a_step():
    scores = CaptionScores(np.array([-6.0, -1.0]), np.array([3, 1]))

    np.testing.assert_array_equal(scores.means, [-2.0, -1.0])


def test_counts_of_unknown_words_have_a_row_for_each_caption():
    with pytest.raises(ValueError, match=r"`n_unknown` must have the shape of `log_probabilities`, \(2,\), got \(1,\)"):
        CaptionScores(np.array([-6.0, -1.0]), np.array([3, 1]), np.array([0]))
