"""`nearest-neighbour`: captions of the training images with the most similar features (Devlin et al. 2015)."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from captioning.api import (
    BadCheckpoint,
    BuildContext,
    CaptionBatch,
    CaptionedImages,
    CaptionerError,
    CaptionerInfo,
    Decoding,
    ImageInput,
    Images,
    Regions,
)
from captioning.captioners.learned_files import CountingCaptioner, make_batch, read_learned
from captioning.selection.dpp import count_references
from metrics_plugins.api import Batch, MetricError
from metrics_plugins.metrics.critics.artifacts import read_tensors, write_tensors
from metrics_plugins.metrics.diversity.kernels import derive_kernels
from metrics_plugins.metrics.diversity.tokenizers.white_space import WhiteSpaceTokenizer
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies

VECTORS: Final = "vectors.safetensors"

Vectors = NDArray[np.float32]


class NearestNeighbour(CountingCaptioner):
    """Repeats captions of the training images whose features are most similar to those of an image.

    Similarity is the cosine of the mean vectors of the regions; ties keep the order of the training images. With the
    setting `neighbours` = 1 (default), an image gets the captions of the nearest one, in their order. With more, it
    gets the consensus captions of Devlin et al. (2015): all captions of the k nearest images are candidates, and those
    come first whose CIDEr with the `others` (125, m in the paper) most similar other candidates has the highest mean;
    CIDEr is plain CIDEr with the document frequencies of the training captions. Equal captions count as often as they
    occur, but an image gets each only once.
    """

    defaults = {"neighbours": 1, "others": 125}
    info = CaptionerInfo(
        id="nearest-neighbour",
        title="Nearest neighbour",
        inputs=frozenset({ImageInput.FEATURES}),
        version="1",
        citation="Devlin, Gupta, Girshick, Mitchell, Zitnick: Exploring Nearest Neighbor Approaches for Image "
        "Captioning (2015)",
    )

    def __init__(
        self, vectors: Vectors, captions: tuple[tuple[str, ...], ...], *, neighbours: int, others: int
    ) -> None:
        self.vectors = vectors
        self.captions = captions
        self.neighbours = neighbours
        self.others = others

    @classmethod
    def build(cls, context: BuildContext, *, folder: Path | None = None) -> Self:
        learned = read_learned(folder, cls.info.id, fields={"captions", "vectors", *cls.defaults})
        try:
            tensors = read_tensors(Path(folder or ".") / VECTORS, sha256=learned["vectors"]["sha256"])
        except MetricError as error:
            raise BadCheckpoint(str(error)) from error
        captions = tuple(map(tuple, learned["captions"]))
        return cls(tensors["vectors"], captions, **{name: learned[name] for name in cls.defaults})

    def describe(self) -> Mapping[str, str | int | float | bool]:
        return {"neighbours": self.neighbours, "others": self.others}

    def caption(
        self, images: Images, *, n: int = 1, decoding: Decoding | None = None, rng: np.random.Generator
    ) -> CaptionBatch:
        images.require(self.info.inputs, reader=f"captioner {self.info.id!r}")
        assert images.features is not None  # noqa: S101 - required above
        vectors = make_units(images.features)
        if vectors.shape[1] != self.vectors.shape[1]:
            raise CaptionerError(
                f"captioner {self.info.id!r} was trained on features of {self.vectors.shape[1]} numbers, got "
                f"{vectors.shape[1]}"
            )
        found = [self._choose(self._find_nearest(vector)) for vector in vectors]
        for key, captions in zip(images.keys, found, strict=True):
            if len(captions) < n:
                raise CaptionerError(
                    f"captioner {self.info.id!r}, image {key!r}: the {self.neighbours} nearest images have "
                    f"{len(captions)} different captions, asked for {n}: train it with a higher `neighbours`"
                )
        return make_batch(images, [captions[:n] for captions in found], n=n)

    def _find_nearest(self, vector: Vectors) -> NDArray[np.int64]:
        # Each image by itself: the rounding of a product of matrices depends on the number of rows.
        order: NDArray[np.int64] = np.argsort(-(self.vectors @ vector), kind="stable")
        return order[: self.neighbours]

    def _choose(self, nearest: NDArray[np.int64]) -> tuple[str, ...]:
        """Return the different captions of these training images, the best first."""
        pool = [caption for row in nearest for caption in self.captions[int(row)]]
        if self.neighbours > 1 and len(pool) > 1:
            order = np.argsort(-self._measure_consensus(pool), kind="stable")
            pool = [pool[int(place)] for place in order]
        return tuple(dict.fromkeys(pool))

    def _measure_consensus(self, pool: list[str]) -> NDArray[np.float64]:
        """Return `(n,)`: the mean CIDEr of each caption with the others that are most similar to it."""
        batch = Batch.make(["pool"], caption_sets=[pool])
        kernels = derive_kernels(batch, WhiteSpaceTokenizer(), self._documents, similarity="cider")
        ((_, matrices),) = kernels.iterate(as_given=True)
        similarities = matrices[0].copy()
        np.fill_diagonal(similarities, -np.inf)
        m = min(self.others, len(pool) - 1)
        closest: NDArray[np.float64] = np.sort(similarities, axis=1)[:, -m:]
        # Rounded, so that equal captions, and captions that are equally good, keep their order.
        rounded: NDArray[np.float64] = np.round(closest.mean(axis=1), 9)
        return rounded

    @cached_property
    def _documents(self) -> DocumentFrequencies:
        return count_references(self.captions, tokenizer=WhiteSpaceTokenizer())

    @classmethod
    def learn(cls, data: CaptionedImages, counts: Mapping[str, int], *, folder: Path) -> Mapping[str, Any]:
        for name, value in counts.items():
            if value < 1:
                raise CaptionerError(f"`{name}` of captioner {cls.info.id!r} must be at least 1, got {value}")
        assert data.images.features is not None  # noqa: S101 - required by `train`
        folder.mkdir(parents=True, exist_ok=True)
        vectors = write_tensors(folder / VECTORS, {"vectors": make_units(data.images.features)})
        return {"captions": data.captions, "vectors": vectors, **counts}


def make_units(features: Regions) -> Vectors:
    """Return `(n_images, dimension)`: the mean vector of each image, with length 1; a zero vector stays zero."""
    means = features.values.sum(axis=1) / features.counts[:, None]
    lengths = np.linalg.norm(means, axis=1, keepdims=True)
    units: Vectors = (means / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return units
