"""Encode image files: each distinct file once, in batches that fit into memory."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from metrics_plugins.encoders.caching.remembering import encode_remembered
from metrics_plugins.encoders.full_precision import hold_full_precision
from metrics_plugins.encoders.images.pictures import PictureSettings, digest_picture, prepare_pictures
from metrics_plugins.encoders.loaded import require_finite
from metrics_plugins.encoders.tiles import Tile, run_tiles

if TYPE_CHECKING:
    from torch import Tensor

Floats = npt.NDArray[np.float32]


def encode_pictures(
    paths: Sequence[Path],
    *,
    name: str,
    digest: str,
    dimension: int,
    settings: PictureSettings,
    device: str,
    open_forward: "Callable[[], Callable[[Tensor], Tensor]]",
) -> Floats:
    """Return `(n_images, dimension)`.

    Args:
        paths: The files; files with equal content are encoded once.
        name: The name of the encoder in errors.
        digest: Identifies what vectors depend on besides the images.
        dimension: The length of a vector.
        settings: The preprocessing of images.
        device: The device to compute on.
        open_forward: Loads the model and returns a function from `(n, 3, height, width)` to `(n, dimension)`.

    Raises:
        MetricError: A file is not an image, a number is not finite, or memory does not suffice for one image.
    """
    digests = [digest_picture(path) for path in paths]
    path_of = dict(zip(digests, paths, strict=True))

    def compute(wanted: Sequence[str]) -> Floats:
        import torch

        forward = open_forward()
        vectors = np.empty((len(wanted), dimension), dtype=np.float32)

        def compute_tile(tile: Tile) -> None:
            pixels = prepare_pictures([path_of[wanted[row]] for row in tile.rows], settings)
            found = forward(torch.from_numpy(pixels).to(device)).float()
            require_finite(found, name=name)
            vectors[tile.rows[: tile.n_kept]] = found[: tile.n_kept].cpu().numpy()

        with torch.inference_mode(), hold_full_precision(device):
            # A CPU is nearly as fast with single images, and convolutions then do not depend on other images.
            budget = 1 if device == "cpu" else 64
            run_tiles(np.ones(len(wanted), np.int64), budget=budget, compute=compute_tile, what=f"encoder {name!r}")
        return vectors

    return encode_remembered(digests, digest=digest, dimension=dimension, compute=compute)
