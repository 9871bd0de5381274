"""Different captions by altering the image: random crops (RCI) and Gaussian noise (GNC)."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from captioning.api.errors import CaptionerError
from captioning.decoding.beam import search_beam
from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.networks.network import CaptionNetwork, EncodedRegions

CROP: Final = 224 / 256
"""The share of height and width that a crop keeps."""

_WHITE: Final = 255.0
_HUNDREDTH: Final = 0.01


@torch.no_grad()
def caption_crops(
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return the most probable captions of random crops of each image (RCI).

    A crop keeps 7/8 of height and width, as in the paper, and is enlarged to the size of the image, so that every
    encoder reads it. The log-probabilities are those given the crop. Arguments as for `generate_captions`.

    Raises:
        CaptionerError: The images are given as features, which cannot be cropped; or as for `decode`.
    """
    if not isinstance(images, Tensor):
        raise CaptionerError("random crops need images given as pixels, got features")
    crops = crop_randomly(images.repeat_interleave(settings.n, dim=0), generator=generator)
    return _caption(network, crops, settings=settings)


@torch.no_grad()
def caption_noisy_images(
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return the most probable caption of each image with Gaussian noise of each standard deviation (GNC).

    The unit of `settings.deviations` is that of pixels from 0 to 255, to which noisy values are clipped. For features,
    where the paper has none, it is a hundredth of the root mean square of the values of the image. The
    log-probabilities are those given the noisy image. Arguments as for `generate_captions`.

    Raises:
        CaptionerError: As for `decode`.
    """
    noisy: Tensor | EncodedRegions
    if isinstance(images, Tensor):
        noisy = add_noise(images, deviations=settings.deviations, generator=generator)
    else:
        noisy = add_noise_to_regions(images, deviations=settings.deviations, generator=generator)
    return _caption(network, noisy, settings=settings)


def crop_randomly(pixels: Tensor, *, generator: torch.Generator) -> Tensor:
    """Return a random crop of each image, enlarged bilinearly to its size; shapes as given, `(n, 3, height, width)`."""
    height, width = pixels.shape[2:]
    kept_height, kept_width = max(round(height * CROP), 1), max(round(width * CROP), 1)
    tops = torch.randint(height - kept_height + 1, (len(pixels),), generator=generator)
    lefts = torch.randint(width - kept_width + 1, (len(pixels),), generator=generator)
    crops = [
        image[:, top : top + kept_height, left : left + kept_width]
        for image, top, left in zip(pixels, tops.tolist(), lefts.tolist(), strict=True)
    ]
    return torch.nn.functional.interpolate(torch.stack(crops), size=(height, width), mode="bilinear")


def add_noise(pixels: Tensor, *, deviations: Sequence[float], generator: torch.Generator) -> Tensor:
    """Return `(n_images * n, 3, height, width)`: each image with noise of each deviation, clipped to [0, 1]."""
    repeated = pixels.repeat_interleave(len(deviations), dim=0)
    scales = torch.tensor(deviations).repeat(len(pixels)) / _WHITE
    noise = torch.randn(repeated.shape, generator=generator) * scales.view(-1, 1, 1, 1)
    return (repeated + noise.to(pixels.device)).clamp(0.0, 1.0)


def add_noise_to_regions(
    regions: EncodedRegions, *, deviations: Sequence[float], generator: torch.Generator
) -> EncodedRegions:
    """Return `(n_images * n, ...)`: each image with noise of each deviation on its existing regions."""
    n = len(deviations)
    rows = torch.arange(len(regions.values), device=regions.values.device).repeat_interleave(n)
    repeated = regions.take(rows)
    existing = repeated.mask.unsqueeze(2).to(repeated.values.dtype)
    squares = (repeated.values.square() * existing).sum(dim=(1, 2))
    size = (squares / (existing.sum(dim=(1, 2)) * repeated.values.shape[2])).sqrt()
    scales = torch.tensor(deviations).repeat(len(regions.values)).to(size.device) * _HUNDREDTH * size
    noise = torch.randn(repeated.values.shape, generator=generator).to(size.device) * scales.view(-1, 1, 1)
    return EncodedRegions(repeated.values + noise * existing, repeated.mask)


def _caption(
    network: CaptionNetwork, images: Tensor | EncodedRegions, *, settings: GeneratorSettings
) -> DecodedCaptions:
    state = network.decoder.begin(network.encoder(images))
    found = search_beam(network.decoder, state, n=1, max_words=settings.max_words, size=settings.beam_size)
    return found.group(settings.n)
