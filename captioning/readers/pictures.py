"""Folders of pictures, by the key of each image, and their pixels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from captioning.readers.errors import BadImageFile

ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp")


def list_pictures(folder: Path) -> dict[str, Path]:
    """Return the pictures in a folder (`.png`, `.jpg`, ...), sorted by name; the key is the name without its ending.

    Raises:
        BadImageFile: There is no such folder, it has no pictures, or two pictures have the same key.
    """
    if not folder.is_dir():
        raise BadImageFile(f"{folder}: must be a folder of pictures")
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in ENDINGS or not path.is_file():
            continue
        if path.stem in found:
            raise BadImageFile(
                f"{folder}: each picture must have its own key, got {found[path.stem].name} and {path.name}"
            )
        found[path.stem] = path
    if not found:
        raise BadImageFile(f"{folder}: must have pictures ({', '.join(ENDINGS)}), got none")
    return found


def read_pixels(paths: Sequence[Path], *, size: int) -> NDArray[np.uint8]:
    """Return `(n, size, size, 3)`: pictures in RGB, resized without regard to their proportions.

    Raises:
        BadImageFile: A file is not a picture.
    """
    from PIL import Image, UnidentifiedImageError

    pixels = np.empty((len(paths), size, size, 3), dtype=np.uint8)
    for row, path in enumerate(paths):
        try:
            with Image.open(path) as picture:
                colors = picture.convert("RGB")
                # A picture of this size stays as it is, to the bit.
                same = colors.size == (size, size)
                pixels[row] = np.asarray(colors if same else colors.resize((size, size), Image.Resampling.BICUBIC))
        except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as error:
            raise BadImageFile(f"{path}: cannot be read as a picture: {error}") from error
    return pixels
