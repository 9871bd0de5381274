"""What a score is computed from, by image, as compact bytes: scores whose mean it is, or statistics that are summed."""

import zlib
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

_LEVEL: Final = 1
"""Statistics are small whole numbers, which the fastest level makes several times smaller."""


def pack_statistics(by_row: Values, *, n_images: int, is_mean: bool) -> bytes:
    """Return the statistics of images, from those of rows, as many for each image in the order of the images.

    Args:
        by_row: Shape (n_rows,) or (n_rows, n_statistics); NaN where undefined.
        n_images: The number of images; 0 gives no bytes.
        is_mean: Whether to average over the rows of an image; otherwise they are summed.
    """
    if not n_images:
        return b""
    rows = by_row.reshape(n_images, -1, by_row.shape[1] if by_row.ndim > 1 else 1)
    by_image = rows.mean(axis=1) if is_mean else rows.sum(axis=1)
    return zlib.compress(by_image.astype("<f8").tobytes(), _LEVEL)


def unpack_statistics(content: bytes, *, n_images: int) -> Values:
    """Return the statistics of each image, shape (n_images, n_statistics)."""
    return np.frombuffer(zlib.decompress(content), "<f8").reshape(n_images, -1)


class PackedStatistics(Mapping[int, Values]):
    """Statistics by submission that are unpacked when they are read: those of hundreds of entries take gigabytes."""

    def __init__(self, packed: Mapping[int, tuple[bytes, int]]) -> None:
        """`packed` has bytes and the number of images."""
        self._packed = packed

    def __getitem__(self, submission: int) -> Values:
        content, n_images = self._packed[submission]
        return unpack_statistics(content, n_images=n_images)

    def __iter__(self) -> Iterator[int]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)
