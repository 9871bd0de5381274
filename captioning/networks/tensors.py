"""Images as tensors on a device, as encoders read them."""

import numpy as np
import torch
from torch import Tensor

from captioning.api.images import ImageInput, Images, Regions
from captioning.networks.network import EncodedRegions


def move_pixels(pixels: np.ndarray, device: str | torch.device) -> Tensor:
    """Return `(n, 3, height, width)` in [0, 1] of bytes `(n, height, width, 3)`."""
    # Moved as bytes, a quarter of the size.
    moved = torch.from_numpy(np.ascontiguousarray(pixels)).to(device)
    return moved.permute(0, 3, 1, 2).float() / 255


def move_regions(regions: Regions, device: str | torch.device) -> EncodedRegions:
    """Return the given feature vectors, without regions that no image has."""
    most = int(regions.counts.max(initial=1))
    values = torch.from_numpy(np.ascontiguousarray(regions.values[:, :most])).to(device)
    counts = torch.from_numpy(np.ascontiguousarray(regions.counts)).to(device)
    mask = torch.arange(most, device=counts.device) < counts.unsqueeze(1)
    return EncodedRegions(values, mask)


def move_images(images: Images, *, inputs: ImageInput, device: str | torch.device) -> Tensor | EncodedRegions:
    """Return the input of an encoder: pixels for a CNN, or features.

    Raises:
        MissingInput: The images lack the column.
    """
    images.require(frozenset({inputs}), reader="the network")
    if inputs == ImageInput.PIXELS and images.pixels is not None:
        return move_pixels(images.pixels, device)
    if inputs == ImageInput.FEATURES and images.features is not None:
        return move_regions(images.features, device)
    raise ValueError(f"networks read pixels or features, got {inputs!r}")
