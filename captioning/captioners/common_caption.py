"""`common-caption`: the most frequent captions of the training images, for every image."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import numpy as np

from captioning.api import BuildContext, CaptionBatch, CaptionedImages, CaptionerError, CaptionerInfo, Decoding, Images
from captioning.captioners.learned_files import CountingCaptioner, make_batch, read_learned


class CommonCaption(CountingCaptioner):
    """Gives every image the most frequent training captions, with ties in alphabetical order: a lower bound.

    The setting `kept` (100) is the number of captions that it learns, the most that it gives an image.
    """

    defaults = {"kept": 100}
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
    def learn(cls, data: CaptionedImages, counts: Mapping[str, int], *, folder: Path) -> Mapping[str, Any]:
        kept = max(counts["kept"], 1)
        times = Counter(caption for captions in data.captions for caption in captions)
        return {"captions": sorted(times, key=lambda caption: (-times[caption], caption))[:kept]}
