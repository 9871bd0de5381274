"""Images with captions written by people or drawn from a world, on which captioners are trained and validated."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captioning.api.images import Images


@dataclass(frozen=True, slots=True, eq=False)
class CaptionedImages:
    """Images, each with at least one caption.

    Attributes:
        images: The images.
        captions: `(n_images,)`: the captions of each image as lines of tokens: lower case, joined by single spaces,
            without punctuation (for worlds, without the full stop).
        worlds: `(n_images,)`: the world of each image (`metrics_plugins.api.worlds.CaptionWorld`); None if unknown.
        note: A remark printed wherever a number of these data stands, such as "text-conditioned"; empty if none.

    Raises:
        ValueError: A column has another length, or an image has no caption.
    """

    images: Images
    captions: tuple[tuple[str, ...], ...] = field(repr=False)
    worlds: tuple[object, ...] | None = field(default=None, repr=False)
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.captions) != len(self.images):
            raise ValueError(f"captions have {len(self.captions)} rows, but there are {len(self.images)} images")
        if self.worlds is not None and len(self.worlds) != len(self.images):
            raise ValueError(f"worlds have {len(self.worlds)} rows, but there are {len(self.images)} images")
        for key, lines in zip(self.images.keys, self.captions, strict=True):
            if not lines:
                raise ValueError(f"image {key!r} has no caption")

    def __len__(self) -> int:
        return len(self.images)

    @property
    def digest(self) -> str:
        """A hash of keys, captions and image columns, which identifies the data of a training; worlds are not in it."""
        digest = hashlib.sha256(repr((self.images.keys, self.captions, self.images.objects)).encode())
        arrays: list[NDArray[Any]] = [] if self.images.pixels is None else [self.images.pixels]
        if self.images.features is not None:
            arrays += [self.images.features.values, self.images.features.counts]
        for each in arrays:
            digest.update(f"{each.dtype.str}{each.shape}".encode() + np.ascontiguousarray(each).tobytes())
        return digest.hexdigest()[:16]

    def select(self, rows: Sequence[int] | NDArray[np.int64]) -> "CaptionedImages":
        """Return the selected images in the given order."""
        chosen = [int(row) for row in rows]
        return CaptionedImages(
            images=self.images.select(chosen),
            captions=tuple(self.captions[row] for row in chosen),
            worlds=None if self.worlds is None else tuple(self.worlds[row] for row in chosen),
            note=self.note,
        )
