"""`object-template`: lists the objects of an image in a sentence, as the baseline in section 3 of the SPICE-U paper."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np

from captioning.api import (
    BuildContext,
    CaptionBatch,
    CaptionedImages,
    CaptionerError,
    CaptionerInfo,
    Decoding,
    ImageInput,
    Images,
)
from captioning.captioners.learned_files import CountingCaptioner, make_batch, read_learned

NOTHING: Final = "There is nothing"


class ObjectTemplate(CountingCaptioner):
    """Writes "There is a tennis ball, court and person" from the objects of an image (Wang et al. 2020, section 3).

    Trained, it names only the k classes of objects that occur in most training images (setting `classes`, 10 by
    default as in the paper; 0 for all), with ties in alphabetical order. Without a folder it names every object. Each
    class is named once, in the order in which the image has them. An image without such an object gets "There is
    nothing", since the paper does not say what it gets.
    """

    needs_training: ClassVar[bool] = False
    defaults = {"classes": 10}
    info = CaptionerInfo(
        id="object-template",
        title="Object template",
        inputs=frozenset({ImageInput.OBJECTS}),
        version="1",
        citation="Wang, Feng, Narasimhan, Russakovsky: Towards Unique and Informative Captioning of Images (2020)",
    )

    def __init__(self, classes: frozenset[str] | None = None) -> None:
        self.classes = classes

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        if folder is None:
            return cls()
        classes = read_learned(folder, cls.info.id, fields={"classes"})["classes"]
        return cls(None if classes is None else frozenset(classes))

    def describe(self) -> Mapping[str, str | int | float | bool]:
        return {"classes": "all" if self.classes is None else len(self.classes)}

    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        images.require(self.info.inputs, reader=f"captioner {self.info.id!r}")
        if n != 1:
            raise CaptionerError(f"captioner {self.info.id!r} writes one caption of an image, asked for {n}")
        return make_batch(images, [(self._write(objects),) for objects in images.objects or ()], n=1)

    def _write(self, objects: tuple[str, ...]) -> str:
        return fill_template(name for name in objects if self.classes is None or name in self.classes)

    @classmethod
    def learn(cls, data: CaptionedImages, counts: Mapping[str, int], *, folder: Path) -> Mapping[str, Any]:
        k, classes = counts["classes"], rank_classes(data.images.objects or ())
        return {"classes": classes[:k] if k else None}


def rank_classes(objects: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the classes of objects, those of most images first; ties in alphabetical order."""
    counts = Counter(name for own in objects for name in set(own))
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def fill_template(objects: Iterable[str]) -> str:
    """Return a sentence that lists objects, each once: "There is an apple, tennis ball and person"."""
    names = list(dict.fromkeys(objects))
    if not names:
        return NOTHING
    *first, last = names
    article = "an" if names[0][0] in "aeiou" else "a"
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"There is {article} {listed}"
