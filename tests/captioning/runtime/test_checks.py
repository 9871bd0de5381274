"""Tests of the conformance kit: a good captioner passes, and each kind of fault fails the check that is about it."""

import numpy as np
import pytest

from captioning.api import CaptionBatch, CaptionScores, Decoding, Images
from captioning.runtime.checks import CHECKS, check_captioner
from tests.captioning.runtime.examples import DrawnWord, Learner, make_images


def _fail(captioner) -> dict[str, str]:
    return {each.check: each.message for each in check_captioner(captioner, make_images(4)) if not each.passed}


def _change(**methods):
    return type("Changed", (DrawnWord,), methods)()


def test_good_captioners_pass_every_check_that_applies() -> None:
    assert [each.check for each in check_captioner(DrawnWord(), make_images(4))] == [each.name for each in CHECKS]
    assert _fail(DrawnWord()) == {}
    assert _fail(Learner("a cat")) == {}
    assert {each.check for each in check_captioner(Learner("a cat"), make_images())}.isdisjoint(
        {"random-samples", "scores"}
    )


def _caption_by_place(self, images, *, n=1, decoding=None, rng):
    rows = tuple((f"word {place}",) * n for place in range(len(images)))
    return CaptionBatch(images.keys, rows, np.full((len(images), n), -1.0))


def _caption_by_global(self, images, *, n=1, decoding=None, rng):
    rows = tuple(tuple(str(np.random.random()) for _ in range(n)) for _ in images.keys)  # noqa: NPY002
    return CaptionBatch(images.keys, rows, np.full((len(images), n), -1.0))


def _caption_features(self, images, *, n=1, decoding=None, rng):
    word = "keys" if images.files is None else "files"
    return CaptionBatch(images.keys, ((word,) * n,) * len(images), np.full((len(images), n), -1.0))


def _score_wrongly(self, images, captions):
    return CaptionScores(np.full(len(images), -9.0), np.ones(len(images), int))


@pytest.mark.parametrize(
    ("methods", "check"),
    [
        ({"caption": _caption_by_place}, "order-invariance"),
        ({"caption": _caption_by_global}, "determinism"),
        ({"caption": _caption_by_place}, "random-samples"),
        (
            {"score": _score_wrongly},
            "scores",
        ),
        ({"__reduce__": lambda _: (int, ())}, "pickling"),
        ({"describe": lambda _: {"words": ("a",)}}, "description"),
        ({"caption": lambda *_, **__: None}, "valid-captions"),
    ],
)
def test_fault_fails_its_check(methods, check: str) -> None:
    assert check in _fail(_change(**methods))


class Silent(DrawnWord):
    """Has no word for a cat."""

    def caption(self, images, **given):
        batch = super().caption(images, **given)
        captions = tuple(tuple("" if text == "cat" else text for text in row) for row in batch.captions)
        return CaptionBatch(batch.keys, captions, batch.log_probabilities)


class ImpreciseBeams(DrawnWord):
    """Reports another log-probability of a beam than that of its caption."""

    def caption(self, images, *, n=1, decoding=None, rng):
        batch = super().caption(images, n=n, decoding=decoding, rng=rng)
        error = 2e-5 if decoding.method == "beam" else 0.0
        return CaptionBatch(batch.keys, batch.captions, batch.log_probabilities - error)


class Long(DrawnWord):
    """Writes as many words as it may, by default more than other captioners."""

    default_decoding = Decoding(max_words=18)

    def caption(self, images, *, n=1, decoding=None, rng):
        batch = super().caption(images, n=n, decoding=decoding, rng=rng)
        captions = tuple(tuple(f"{text} " * decoding.max_words for text in row) for row in batch.captions)
        return CaptionBatch(batch.keys, captions, batch.log_probabilities)


@pytest.mark.parametrize(
    ("captioner", "failed"), [(Silent, ["valid-captions"]), (ImpreciseBeams, ["scores"]), (Long, [])]
)
def test_only_the_check_that_is_about_a_fault_fails(captioner, failed) -> None:
    assert list(_fail(captioner())) == failed


def test_undeclared_column_is_found() -> None:
    images = make_images(2)
    images = Images(keys=images.keys, objects=images.objects, files=("a", "b"))  # type: ignore[arg-type]
    results = check_captioner(_change(caption=_caption_features), images)
    (found,) = [each for each in results if each.check == "declared-inputs"]
    assert found.message == "expected the same captions from the declared columns alone; got 'files' and 'keys'"


def test_images_without_the_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="at least two images with objects"):
        check_captioner(DrawnWord(), Images(keys=("a", "b")))
