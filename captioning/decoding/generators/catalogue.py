"""All generators of diverse captions by name."""

from typing import Final, Literal, Protocol, TypeAlias

import torch
from torch import Tensor

from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.generators.altered_images import caption_crops, caption_noisy_images
from captioning.decoding.generators.random_vectors import caption_random_vectors
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.decoding.generators.synonym_switch import caption_with_synonyms
from captioning.decoding.sampling import sample_captions
from captioning.networks.network import CaptionNetwork, EncodedRegions

GeneratorName: TypeAlias = Literal["rs", "rci", "gnc", "drv", "ss"]
"""Random sampling, randomly cropped images, Gaussian noise, different random vectors, synonym switch."""


class CaptionGenerator(Protocol):
    """Returns `settings.n` captions of each image."""

    def __call__(
        self,
        network: CaptionNetwork,
        images: Tensor | EncodedRegions,
        *,
        settings: GeneratorSettings,
        generator: torch.Generator,
    ) -> DecodedCaptions: ...


def generate_captions(
    name: GeneratorName,
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return several captions of each image (Wang, Wan and Chan 2022, sections 5.2 and 5.3).

    Args:
        name: The method.
        network: The captioner.
        images: As the encoder reads them: pixels `(n_images, 3, height, width)` in [0, 1], or regions.
        settings: As above.
        generator: The only source of randomness, on the CPU.

    Raises:
        CaptionerError: The method needs pixels, random vectors or synonyms, which are not there; or as for `decode`.
    """
    return GENERATORS[name](network, images, settings=settings, generator=generator)


@torch.no_grad()
def caption_by_sampling(
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return random samples (RS). Arguments as for `generate_captions`."""
    state = network.decoder.begin(network.encoder(images))
    return sample_captions(network.decoder, state, n=settings.n, max_words=settings.max_words, generator=generator)


GENERATORS: Final[dict[GeneratorName, CaptionGenerator]] = {
    "rs": caption_by_sampling,
    "rci": caption_crops,
    "gnc": caption_noisy_images,
    "drv": caption_random_vectors,
    "ss": caption_with_synonyms,
}
