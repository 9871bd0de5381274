"""Images as captioners read them: keyed columns of files, pixels, features or objects."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from captioning.api.errors import MissingInput


class ImageInput(StrEnum):
    """A column of `Images` that a captioner may read."""

    FILES = "files"
    PIXELS = "pixels"
    FEATURES = "features"
    OBJECTS = "objects"


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Feature vectors of images, one or more for each; a global vector is one region.

    Attributes:
        values: `(n_images, n_regions, dimension)`, float32; the rows of absent regions are 0.
        counts: `(n_images,)`: the number of regions of each image, which come first; at least 1.
    """

    values: NDArray[np.float32]
    counts: NDArray[np.int64]

    @classmethod
    def of_vectors(cls, vectors: NDArray[np.float32]) -> Self:
        """Return one region for each image, from `(n_images, dimension)`."""
        values = np.asarray(vectors, dtype=np.float32)[:, None, :]
        return cls(values, np.ones(len(values), dtype=np.int64))

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.values.shape[2])

    def select(self, rows: NDArray[np.int64]) -> "Regions":
        """Return the selected images in the given order."""
        return Regions(self.values[rows], self.counts[rows])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Images:
    """Columns of equal length, of which all but `keys` may be absent.

    Attributes:
        keys: `(n_images,)`: the key of each image; not necessarily unique.
        files: `(n_images,)`: the file of each image.
        pixels: `(n_images, height, width, 3)`, bytes.
        features: The feature vectors of each image.
        objects: `(n_images,)`: the names of the objects in each image, the most certain ones first.

    Raises:
        ValueError: A column has another length than `keys`.
    """

    keys: tuple[str, ...]
    files: tuple[Path, ...] | None = None
    pixels: NDArray[np.uint8] | None = None
    features: Regions | None = None
    objects: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        for name in ImageInput:
            column = getattr(self, name)
            if column is not None and len(column) != len(self.keys):
                raise ValueError(f"column {name!s} has {len(column)} rows, but there are {len(self.keys)} keys")

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def available_inputs(self) -> frozenset[ImageInput]:
        """The columns that are there."""
        return frozenset(name for name in ImageInput if getattr(self, name) is not None)

    def select(self, rows: Sequence[int] | NDArray[np.int64]) -> "Images":
        """Return the selected images in the given order; a row may be repeated."""
        chosen = np.asarray(rows, dtype=np.int64)
        columns: dict[str, Any] = {}
        for each in fields(self):
            column = getattr(self, each.name)
            if column is None:
                columns[each.name] = None
            elif isinstance(column, Regions):
                columns[each.name] = column.select(chosen)
            elif isinstance(column, np.ndarray):
                columns[each.name] = column[chosen]
            else:
                columns[each.name] = tuple(column[row] for row in chosen)
        return Images(**columns)

    def require(self, inputs: frozenset[ImageInput], *, reader: str) -> None:
        """Check that all these columns are there.

        Raises:
            MissingInput: One is not; the message names the reader.
        """
        missing = sorted(inputs - self.available_inputs)
        if missing:
            raise MissingInput(
                f"{reader} needs {', '.join(missing)}, but these {len(self)} images have only "
                f"{', '.join(sorted(self.available_inputs)) or 'keys'}"
            )
