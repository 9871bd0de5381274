"""Captioners for tests of what runs captioners."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from captioning.api import (
    CaptionBatch,
    CaptionedImages,
    Captioner,
    CaptionerError,
    CaptionerInfo,
    CaptionScores,
    Decoding,
    ImageInput,
    Images,
    TrainableCaptioner,
    hookimpl,
)

WORDS = ("cat", "dog", "bird")


def make_info(name: str, **changes: Any) -> CaptionerInfo:
    given = {"inputs": frozenset({ImageInput.OBJECTS}), "version": "1", "citation": "Nobody (2020)"}
    return CaptionerInfo(id=name, title=name.title(), **(given | changes))


class DrawnWord(Captioner):
    """Draws one of three words, equally probable; greedy decoding takes the first object."""

    info = make_info("drawn-word", is_random=True, can_score=True)

    def caption(self, images, *, n=1, decoding=None, rng):
        images.require(self.info.inputs, reader="drawn-word")
        if (decoding or Decoding()).method == "sample":
            drawn = tuple(tuple(WORDS[place] for place in rng.integers(3, size=n)) for _ in images.keys)
        else:
            drawn = tuple((own[0],) * n for own in images.objects)
        return CaptionBatch(images.keys, drawn, np.full((len(images), n), -np.log(3)))

    def score(self, images, captions):
        return CaptionScores(np.full(len(images), -np.log(3)), np.full(len(images), 2))


class Learner(TrainableCaptioner):
    """Repeats the first training caption."""

    info = make_info("learner", inputs=frozenset())
    trained: ClassVar[int] = 0

    def __init__(self, caption: str) -> None:
        self.caption_of_all = caption

    @classmethod
    def build(cls, context, *, folder: Path | None = None, suffix: str = "") -> "Learner":
        assert folder is not None
        return cls((folder / "caption.txt").read_text() + suffix)

    @classmethod
    def complete_settings(cls, settings):
        return {"upper": False, **settings}

    def describe(self) -> Mapping[str, str | int | float | bool]:
        return {"words": len(self.caption_of_all.split())}

    def caption(self, images, *, n=1, decoding=None, rng):
        return CaptionBatch(images.keys, ((self.caption_of_all,) * n,) * len(images), np.full((len(images), n), np.nan))

    @classmethod
    def train(cls, data, validation, *, folder, rng, context, settings, track=None):
        unknown = set(settings) - {"upper"}
        if unknown:
            raise CaptionerError(f"learner has no setting {unknown.pop()!r}")
        cls.trained += 1
        folder.mkdir(exist_ok=True)
        text = data.captions[0][0]
        (folder / "caption.txt").write_text(text.upper() if settings.get("upper") else text)
        return cls.build(context, folder=folder)


class Broken(Captioner):
    """Returns what a test gives it."""

    info = make_info("broken", inputs=frozenset(), can_score=True)

    def __init__(self, caption: Callable[..., Any], scores: CaptionScores | None = None) -> None:
        self._caption, self._scores = caption, scores

    def caption(self, images, *, n=1, decoding=None, rng):
        return self._caption(images)

    def score(self, images, captions):
        return self._scores


def make_plugin(*captioners: type[Captioner], name: str = "made") -> SimpleNamespace:
    return SimpleNamespace(__name__=name, register_captioners=hookimpl(_named(lambda: captioners)))


def _named(function):
    function.__name__ = "register_captioners"
    return function


def make_images(n: int = 3) -> Images:
    return Images(keys=tuple(f"im{row}" for row in range(n)), objects=tuple((WORDS[row % 3],) for row in range(n)))


def make_captioned(n: int = 2, *, note: str = "") -> CaptionedImages:
    return CaptionedImages(make_images(n), tuple((f"a {WORDS[row % 3]}",) for row in range(n)), note=note)
