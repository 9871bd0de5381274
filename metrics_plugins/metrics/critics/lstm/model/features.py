"""Precomputed image vectors by image id."""

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource


@dataclass(frozen=True, eq=False)
class ImageFeatures:
    """A table of image vectors.

    Attributes:
        path: The file they were read from.
        ids: `(n_images,)`.
        vectors: `(n_images, dimension)` float32, finite.
    """

    path: Path
    ids: tuple[str, ...] = field(repr=False)
    vectors: np.ndarray = field(repr=False)

    @classmethod
    def read(cls, path: Path) -> "ImageFeatures":
        """Read an `.npz` file with the arrays `ids` and `features`.

        Raises:
            MissingResource: There is no such file.
            MetricError: The file is invalid.
        """
        if not path.is_file():
            raise MissingResource(f"{path}: there is no such file of image features")
        try:
            with np.load(path, allow_pickle=False) as content:
                ids, vectors = content["ids"].astype(str), content["features"].astype(np.float32)
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise MetricError(f"{path}: must be an .npz file with `ids` and `features`, got: {error}") from error
        if vectors.ndim != 2 or ids.shape != vectors.shape[:1] or len(set(ids.tolist())) < len(ids):
            raise MetricError(
                f"{path}: `ids` must be distinct, of shape (n,), and `features` of shape (n, dimension), "
                f"got {ids.shape} and {vectors.shape}"
            )
        if not np.isfinite(vectors).all():
            row = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
            raise MetricError(f"{path}: `features` must be finite, got another number for image {ids[row]}")
        return cls(path, tuple(ids.tolist()), vectors)

    @property
    def dimension(self) -> int:
        """Length of one vector."""
        return int(self.vectors.shape[1])

    @cached_property
    def digest(self) -> str:
        """A hash of ids and vectors."""
        digest = hashlib.sha256(repr(self.ids).encode("utf-8", "backslashreplace"))
        return hashlib.sha256(digest.digest() + self.vectors.tobytes()).hexdigest()[:12]

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {image: row for row, image in enumerate(self.ids)}

    def get(self, image_ids: Sequence[str]) -> np.ndarray:
        """Return `(n, dimension)`: the vector of each image.

        Raises:
            MetricError: An image has no vector.
        """
        missing = [image for image in image_ids if image not in self._row_of]
        if missing:
            raise MetricError(f"{self.path}: has no features of image {missing[0]!r} ({len(missing)} such images)")
        rows = [self._row_of[image] for image in image_ids]
        return np.asarray(self.vectors[rows])
