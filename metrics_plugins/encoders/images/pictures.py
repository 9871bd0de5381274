"""Preprocess image files for a network, and compute digests of the files."""

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import MetricError
from metrics_plugins.encoders.weights import read_json

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """The preprocessing of an image: resize the shorter side, crop the centre, normalise the colours.

    Attributes:
        shorter_side: In pixels.
        height: Of the centre crop, in pixels.
        width: Of the centre crop, in pixels.
        mean: Of red, green and blue, subtracted from values within [0, 1].
        deviation: The divisor of the result.
        interpolation: `bicubic` or `bilinear`.
        rounds_middle: Whether the position of a crop between two pixels is rounded to even, as in torchvision, or
            down, as in transformers.
    """

    shorter_side: int
    height: int
    width: int
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    interpolation: str = "bicubic"
    rounds_middle: bool = False

    @classmethod
    def read(cls, path: Path) -> Self:
        """Return the settings in a `preprocessor_config.json` of transformers.

        Raises:
            MetricError: It requires other preprocessing.
        """
        config = read_json(path)
        try:
            size, crop = config["size"], config["crop_size"]
            settings = cls(
                shorter_side=int(size["shortest_edge"] if isinstance(size, dict) else size),
                height=int(crop["height"] if isinstance(crop, dict) else crop),
                width=int(crop["width"] if isinstance(crop, dict) else crop),
                mean=tuple(map(float, config["image_mean"])),
                deviation=tuple(map(float, config["image_std"])),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise MetricError(
                f"{path}: must hold size.shortest_edge, crop_size, image_mean and image_std, got: {error!r}"
            ) from error
        switched_off = [name for name, value in config.items() if name.startswith("do_") and value is False]
        if (
            switched_off
            or int(config.get("resample", 3)) != 3
            or max(settings.height, settings.width) > settings.shorter_side
        ):
            raise MetricError(f"{path}: must resize (bicubic), crop, rescale and normalise, got {config}")
        return settings


def prepare_pictures(paths: Sequence[Path], settings: PictureSettings) -> Floats:
    """Return `(n_images, 3, height, width)`.

    Raises:
        MetricError: A file is not an image, or cannot be read.
    """
    return np.stack([_prepare(path, settings) for path in paths])


def _prepare(path: Path, settings: PictureSettings) -> Floats:
    from PIL import Image

    image = _open(path)
    short, long = sorted(image.size)
    sides = [settings.shorter_side, int(settings.shorter_side * long / short)]
    width, height = sides if image.width <= image.height else sides[::-1]
    image = image.resize((width, height), Image.Resampling[settings.interpolation.upper()])
    left, top = _find_middle(width - settings.width, settings), _find_middle(height - settings.height, settings)
    pixels = np.asarray(image, dtype=np.float32)[top : top + settings.height, left : left + settings.width] / 255
    mean, deviation = np.array(settings.mean, np.float32), np.array(settings.deviation, np.float32)
    scaled = (pixels - mean) / deviation
    return np.ascontiguousarray(scaled.transpose(2, 0, 1), dtype=np.float32)


def _find_middle(left_over: int, settings: PictureSettings) -> int:
    return round(left_over / 2) if settings.rounds_middle else left_over // 2


def _open(path: Path) -> Any:
    from PIL import Image

    try:
        # Turns Pillow's warning about huge images into an error.
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                return image.convert("RGB")
    except OSError as error:
        raise MetricError(f"{path}: cannot be read as an image: {error.strerror or error}") from error
    except (SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise MetricError(f"{path}: cannot be read as an image: {error}") from error


def digest_picture(path: Path) -> str:
    """Return a digest of an image file's content.

    Raises:
        MetricError: The file cannot be read.
    """
    try:
        status = path.stat()
        return _digest(path, stamp=(status.st_size, status.st_mtime_ns))
    except OSError as error:
        raise MetricError(f"{path}: cannot be read as an image: {error.strerror or error}") from error


@lru_cache(maxsize=4096)
def _digest(path: Path, *, stamp: tuple[int, int]) -> str:  # noqa: ARG001  a changed file is read again
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
