"""Feature vectors and regions of images in NumPy files, by image key.

A folder has a file `KEY.npy` for each image: one vector `(d,)`, or regions `(n_regions, d)` as of bottom-up attention
(10 to 100). A file `.npz` has arrays `keys` `(n,)` and `features`: `(n, d)`, or `(n, n_regions, d)` with as many
regions for each image, or the regions of all images one after the other, `(sum of counts, d)`, with an array `counts`
`(n,)`.
"""

import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captioning.api import Regions
from captioning.readers.errors import BadImageFile

Vectors = NDArray[np.float32]

MOST_REGIONS: Final = 1000


def read_regions(path: Path, keys: Sequence[str]) -> Regions:
    """Return the regions of images, padded with zeros to the largest number.

    Args:
        path: A folder of `.npy` files, or a `.npz` file.
        keys: The images; the same key may occur more than once.

    Raises:
        BadImageFile: A file is damaged, an image has no features, or the vectors differ in length.
    """
    found = _read_folder(path, keys) if path.is_dir() else _read_table(path)
    missing = [key for key in keys if key not in found]
    if missing:
        raise BadImageFile(f"{path}: has no features of {len(missing)} of {len(keys)} images, such as {missing[0]!r}")
    dimensions = {found[key].shape[1]: key for key in keys}
    if len(dimensions) > 1:
        found_lengths = " and ".join(f"{dimension} ({key!r})" for dimension, key in sorted(dimensions.items())[:2])
        raise BadImageFile(f"{path}: all vectors must have the same length, got {found_lengths}")
    counts = np.array([len(found[key]) for key in keys], dtype=np.int64)
    values = np.zeros((len(keys), int(counts.max(initial=1)), next(iter(dimensions), 0)), dtype=np.float32)
    for row, key in enumerate(keys):
        values[row, : counts[row]] = found[key]
    return Regions(values, counts)


def list_keys(path: Path) -> tuple[str, ...]:
    """Return the keys of all images with features, in the order of the file, or sorted for a folder."""
    if path.is_dir():
        return tuple(sorted(file.stem for file in path.glob("*.npy")))
    return tuple(_read_table(path))


def _read_folder(path: Path, keys: Sequence[str]) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    for key in dict.fromkeys(keys):
        file = path / f"{key}.npy"
        # Keys are data, and must not lead out of the folder.
        if file.parent != path or not file.is_file():
            continue
        try:
            array = np.load(file, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise BadImageFile(f"{file}: must be an array of NumPy, got: {error}") from error
        if not isinstance(array, np.ndarray):
            raise BadImageFile(f"{file}: must be an array of NumPy, got an archive of arrays")
        found[key] = _check(array, where=str(file))
    return found


def _read_table(path: Path) -> Mapping[str, Vectors]:
    try:
        with np.load(path, allow_pickle=False) as content:
            arrays = {name: content[name] for name in content.files}
    except (OSError, EOFError, ValueError, TypeError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise BadImageFile(f"{path}: must be .npz with the arrays 'keys' and 'features', got: {error}") from error
    if not {"keys", "features"} <= set(arrays):
        raise BadImageFile(f"{path}: must have the arrays 'keys' and 'features', got {', '.join(arrays) or 'none'}")
    if arrays["keys"].ndim != 1:
        raise BadImageFile(f"{path}: 'keys' must be of shape (n,), got {arrays['keys'].shape}")
    keys, features = [str(key) for key in arrays["keys"].tolist()], arrays["features"]
    if not features.ndim:
        raise BadImageFile(f"{path}: 'features' must have a row for each of {len(keys)} keys, got a single value")
    if len(set(keys)) < len(keys):
        raise BadImageFile(f"{path}: 'keys' must differ, got {len(keys) - len(set(keys))} of them again")
    if "counts" in arrays:
        counts = arrays["counts"]
        if not np.issubdtype(counts.dtype, np.integer):
            raise BadImageFile(f"{path}: 'counts' must be whole numbers, got {counts.dtype}")
        if counts.shape != (len(keys),) or (counts < 1).any() or counts.sum() != len(features):
            raise BadImageFile(
                f"{path}: 'counts' must be {len(keys)} numbers of at least 1 with the sum {len(features)}, the rows of "
                f"'features', got {counts.shape} with the sum {counts.sum()}"
            )
        parts = np.split(features, np.cumsum(counts)[:-1])
    elif len(features) == len(keys):
        parts = list(features)
    else:
        raise BadImageFile(f"{path}: 'features' must have a row for each of {len(keys)} keys, got {len(features)}")
    return {key: _check(part, where=f"{path}: {key!r}") for key, part in zip(keys, parts, strict=True)}


def _check(array: NDArray[np.generic], *, where: str) -> Vectors:
    """Return an array as `(n_regions, d)`."""
    is_real = np.issubdtype(array.dtype, np.integer) or np.issubdtype(array.dtype, np.floating)
    if not is_real or array.ndim not in (1, 2) or not array.size:
        raise BadImageFile(
            f"{where}: must be a vector of numbers, or regions of shape (n_regions, d), got {array.dtype} of shape "
            f"{array.shape}"
        )
    if array.ndim == 2 and len(array) > MOST_REGIONS:
        raise BadImageFile(f"{where}: must have at most {MOST_REGIONS} regions, got {len(array)}")
    vectors: Vectors = np.atleast_2d(array.astype(np.float32))
    if not np.isfinite(vectors).all():
        raise BadImageFile(f"{where}: features must be finite")
    return vectors
