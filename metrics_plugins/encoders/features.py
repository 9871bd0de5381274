"""Precomputed image features in NumPy files, looked up by image key."""

import hashlib
import zipfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.weights import digest_files

Floats = npt.NDArray[np.float32]

PREFIX: Final = "features:"


class FeatureFile:
    """An `.npz` with the arrays `keys` and `features`, or a folder with one `.npy` for each image, named by its key.

    Attributes:
        name: The name printed in signatures.
        digest: A hash of the content.
        dimension: The length of a vector.
    """

    def __init__(self, path: Path) -> None:
        """Open the file or folder.

        Raises:
            MetricError: It cannot be read or is invalid; the message says why.
        """
        self.path = path
        self.name = path.name.translate({ord(mark): "-" for mark in "|:"})
        if path.is_dir():
            files = sorted(path.glob("*.npy"))
            if not files:
                raise MetricError(f"{path}: must hold files IMAGE_KEY.npy, got none")
            names = hashlib.sha256("\n".join(file.name for file in files).encode()).hexdigest()
            self.digest = digest_files(files, settings={"names": names})
            self.dimension = len(_read_vector(files[0]))
        else:
            self.dimension = self._table[1].shape[1]
            self.digest = digest_files([path], settings={})

    def encode(self, inputs: Sequence[object]) -> Floats:
        """Return `(n_images, dimension)` by image keys; NaN for unknown images.

        Raises:
            MetricError: A vector is damaged or has the wrong length.
        """
        found = np.full((len(inputs), self.dimension), np.nan, dtype=np.float32)
        for row, key in enumerate(map(str, inputs)):
            vector = self._look_up(key)
            if vector is None:
                continue
            if vector.shape != (self.dimension,):
                raise MetricError(f"{self.path}: {key!r} must have {self.dimension} numbers, got {vector.shape}")
            found[row] = vector
        return found

    def _look_up(self, key: str) -> Floats | None:
        if self.path.is_dir():
            file = self.path / f"{key}.npy"
            # Keys are untrusted data, and must not lead out of the folder.
            return _read_vector(file) if file.parent == self.path and file.is_file() else None
        place_of, features = self._table
        place = place_of.get(key)
        return None if place is None else features[place]

    @cached_property
    def _table(self) -> tuple[dict[str, int], Floats]:
        try:
            with np.load(self.path, allow_pickle=False) as content:
                keys, features = content["keys"], content["features"].astype(np.float32)
        except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
            raise MetricError(
                f"{self.path}: must be .npz with the arrays 'keys' and 'features', got: {error}"
            ) from error
        if features.ndim != 2 or keys.shape != features.shape[:1] or not len(keys):
            raise MetricError(
                f"{self.path}: 'keys' must have shape (n,) and 'features' (n, dimension), "
                f"got {keys.shape} and {features.shape}"
            )
        place_of = {str(key): place for place, key in enumerate(keys.tolist())}
        if len(place_of) < len(keys):
            raise MetricError(f"{self.path}: 'keys' must differ, got {len(keys) - len(place_of)} of them again")
        if not np.isfinite(features).all():
            raise MetricError(f"{self.path}: 'features' must be finite")
        return place_of, features

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_table"}


def _read_vector(path: Path) -> Floats:
    try:
        vector: Floats = np.load(path, allow_pickle=False).astype(np.float32)
    except (OSError, ValueError, EOFError) as error:
        raise MetricError(f"{path}: must be an array of NumPy, got: {error}") from error
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise MetricError(f"{path}: must be one vector of finite numbers, got shape {vector.shape}")
    return vector
