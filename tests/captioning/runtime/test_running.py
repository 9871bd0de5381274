"""Tests of checked calls: what a captioner must not return, and that the results are the captioner's own."""

import numpy as np
import pytest

from captioning.api import BadCaptions, CaptionBatch, CaptionerError, CaptionScores, Decoding, MissingInput
from captioning.runtime import run_captioner, run_scores
from captioning.runtime.running import AT_ONCE, MOST_WORDS
from tests.captioning.runtime.examples import Broken, DrawnWord, Learner, make_images


def _run(captioner, images=None, **given):
    given = {"decoding": Decoding()} | given
    return run_captioner(captioner, make_images() if images is None else images, rng=np.random.default_rng(0), **given)


def _return(*captions, value=-1.0, n=1):
    return Broken(lambda images: CaptionBatch(images.keys, captions, np.full((len(images), n), value)))


def test_captions_of_many_images_are_those_of_calls_with_64() -> None:
    images = make_images(2 * AT_ONCE + 1)
    found = _run(DrawnWord(), images, n=3, decoding=Decoding(method="sample"))

    rng = np.random.default_rng(0)
    parts = [images.select(range(start, min(start + AT_ONCE, len(images)))) for start in range(0, len(images), AT_ONCE)]
    expected = [DrawnWord().caption(part, n=3, decoding=Decoding(method="sample"), rng=rng) for part in parts]
    assert found.keys == images.keys
    assert found.captions == tuple(row for part in expected for row in part.captions)
    np.testing.assert_array_equal(found.log_probabilities, np.full((len(images), 3), -np.log(3)))


def test_no_images_have_no_captions() -> None:
    found = _run(DrawnWord(), make_images().select([]), n=2, decoding=Decoding(method="sample"))
    assert (found.captions, found.log_probabilities.shape) == ((), (0, 2))


@pytest.mark.parametrize(
    ("captioner", "message"),
    [
        (_return(("a",), ("b",), ("",)), "captioner 'broken', image 'im2': caption 1 must have a word, got ''"),
        (_return(("a",), (" ",), ("c",)), "image 'im1': caption 1 must have a word, got ' '"),
        (_return(("a",), ("b " * 17,), ("c",)), "image 'im1': caption 1 must have at most 16 words, got 17: 'b b"),
        (_return(("a",), ("b\nc",), ("c",)), r"image 'im1': caption 1 must be one line of Unicode text, got 'b\\nc'"),
        (_return(("a",), (7,), ("c",)), "image 'im1': caption 1 must be text, got int"),
        (_return(("a",), ("b", "c"), ("c",)), "image 'im1': must have a tuple of 1 captions, got 2 captions"),
        (_return(("a",), ("b",)), "must return captions of the 3 images .* got 3 keys and captions of 2 images"),
        (
            _return(("a",), ("b",), ("c",), n=2),
            r"must return log-probabilities of shape \(3, 1\), got float64 of .* 2\)",
        ),
        (
            _return(("a",), ("b",), ("c",), value=np.nan),
            "image 'im0': the log-probability of caption 1 must not be NaN",
        ),
        (
            _return(("a",), ("b",), ("c",), value=0.5),
            "the log-probability of caption 1 must be finite and at most 0, got 0.5",
        ),
        (_return(("a",), ("b",), ("c",), value=-np.inf), "must be finite and at most 0, got -inf"),
        (Broken(lambda _: ["a"]), "'broken' must return a CaptionBatch, got list"),
        (Broken(lambda _: 1 / 0), "captioner 'broken' fails: ZeroDivisionError: division by zero"),
    ],
)
def test_invalid_results_are_refused_naming_captioner_image_and_value(captioner: Broken, message: str) -> None:
    with pytest.raises(BadCaptions, match=message):
        _run(captioner)


def test_endless_caption_of_a_captioner_without_probabilities_is_refused() -> None:
    assert _run(Learner("word " * MOST_WORDS)).captions[0] == ("word " * MOST_WORDS,)
    with pytest.raises(BadCaptions, match=f"must have at most {MOST_WORDS} words, got {MOST_WORDS + 1}"):
        _run(Learner("word " * (MOST_WORDS + 1)))


def test_default_decoding_of_the_captioner_is_passed_and_checked() -> None:
    given = []

    class Long(Broken):
        default_decoding = Decoding(max_words=18)

        def caption(self, images, *, n=1, decoding=None, rng):
            given.append(decoding)
            return super().caption(images, n=n, decoding=decoding, rng=rng)

    def write(n_words):
        return Long(lambda images: CaptionBatch(images.keys, (("word " * n_words,),) * 3, np.full((3, 1), -1.0)))

    assert _run(write(18), decoding=None).captions[0] == ("word " * 18,)
    assert given == [Decoding(max_words=18)]
    with pytest.raises(BadCaptions, match="must have at most 18 words, got 19"):
        _run(write(19), decoding=None)
    with pytest.raises(BadCaptions, match="must have at most 16 words, got 18"):
        _run(write(18), decoding=Decoding())


def test_empty_captions_are_allowed_where_asked() -> None:
    assert _run(_return(("a",), ("",), ("c",)), allow_empty=True).captions == (("a",), ("",), ("c",))


def test_missing_column_and_number_are_refused_before_the_call() -> None:
    with pytest.raises(MissingInput, match="captioner 'drawn-word' needs objects, but these 1 images have only keys"):
        _run(DrawnWord(), type(make_images())(keys=("a",)))
    with pytest.raises(CaptionerError, match="the number of captions must be at least 1, got 0"):
        _run(DrawnWord(), n=0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (
            CaptionScores(np.array([-1.0, np.nan, -1.0]), np.ones(3, int)),
            "image 'im1': .* finite and at most 0, got nan",
        ),
        (CaptionScores(np.array([-1.0, -1.0, 0.1]), np.ones(3, int)), "image 'im2': .* finite and at most 0, got 0.1"),
        (
            CaptionScores(np.array([-1.0, -1.0, -1.0]), np.zeros(3, int)),
            "the number of steps must be at least 1, got 0",
        ),
        (CaptionScores(np.array([-1.0]), np.ones(1, int)), r"must score 3 captions, got values of shape \(1,\)"),
    ],
)
def test_invalid_scores_are_refused(scores: CaptionScores, message: str) -> None:
    with pytest.raises(BadCaptions, match=message):
        run_scores(Broken(lambda _: None, scores), make_images(), ["a", "b", "c"])


def test_scores_need_probabilities_and_a_caption_for_each_image() -> None:
    with pytest.raises(CaptionerError, match="'learner' gives no probabilities"):
        run_scores(Learner("a"), make_images(), ["a"] * 3)
    with pytest.raises(CaptionerError, match="one caption for each image, got 2 for 3 images"):
        run_scores(DrawnWord(), make_images(), ["a", "b"])
    assert run_scores(DrawnWord(), make_images(), WORDS_OF_IMAGES).means.tolist() == [-np.log(3) / 2] * 3


WORDS_OF_IMAGES = ["cat", "dog", "bird"]
