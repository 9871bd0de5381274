"""Different captions by different random vectors (DRV)."""

import torch
from torch import Tensor

from captioning.api.errors import CaptionerError
from captioning.decoding.beam import search_beam
from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.networks.network import CaptionNetwork, EncodedRegions
from captioning.networks.noise import NoiseDecoder


@torch.no_grad()
def caption_random_vectors(
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return the most probable caption of each image for one random vector of each standard deviation (DRV).

    The log-probabilities are those given the random vector. Arguments as for `generate_captions`.

    Raises:
        CaptionerError: The decoder reads no random vector; or as for `decode`.
    """
    decoder = network.decoder
    if not isinstance(decoder, NoiseDecoder):
        raise CaptionerError(
            f"random vectors need `cvae`, `gmm-cvae` or `cgan`, got a network with a {type(decoder).__name__}"
        )
    regions = network.encoder(images)
    noise = decoder.draw_noise(regions, deviations=settings.deviations, generator=generator).flatten(0, 1)
    rows = torch.arange(len(regions.values), device=noise.device).repeat_interleave(settings.n)
    state = decoder.begin_with_noise(regions.take(rows), noise)
    found = search_beam(decoder, state, n=1, max_words=settings.max_words, size=settings.beam_size)
    return found.group(settings.n)
