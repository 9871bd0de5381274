"""`common-caption`: the most frequent captions of the training images, for every image."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

import numpy as np

from captioning.api import (
    BuildContext,
    CaptionBatch,
    CaptionedImages,
    CaptionerError,
    CaptionerInfo,
    Decoding,
    Images,
    TrainableCaptioner,
)
from captioning.captioners.learned_files import make_batch, read_counts, read_learned, write_learned
from metrics_plugins.api.progress import Track, pass_on

SETTINGS: Final = {"kept": 100}


class CommonCaption(TrainableCaptioner):
    """Gives every image the most frequent training captions, with ties in alphabetical order: a lower bound.

    The setting `kept` (100) is the number of captions that it learns, the most that it gives an image.
    """

    info = CaptionerInfo(
        id="common-caption",
        title="Most frequent caption",
        inputs=frozenset(),
        version="1",
        citation="The most frequent caption of the training images; no paper",
    )

    def __init__(self, captions: tuple[str, ...]) -> None:
        self.captions = captions

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        return cls(tuple(read_learned(folder, cls.info.id, fields={"captions"})["captions"]))

    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        if n > len(self.captions):
            raise CaptionerError(f"captioner {self.info.id!r} knows {len(self.captions)} captions, asked for {n}")
        return make_batch(images, [self.captions[:n]] * len(images), n=n)

    @classmethod
    def complete_settings(cls, settings: Mapping[str, object]) -> Mapping[str, object]:
        return read_counts(cls.info.id, settings, SETTINGS)

    @classmethod
    def train(
        cls,
        data: CaptionedImages,
        validation: CaptionedImages,
        *,
        folder: Path,
        rng: np.random.Generator,
        context: BuildContext,
        settings: Mapping[str, object],
        track: Track = pass_on,
    ) -> Self:
        kept = max(read_counts(cls.info.id, settings, SETTINGS)["kept"], 1)
        counts = Counter(caption for captions in data.captions for caption in captions)
        ordered = sorted(counts, key=lambda caption: (-counts[caption], caption))
        write_learned(folder, cls.info.id, {"captions": ordered[:kept]})
        return cls.build(context, folder=folder)
