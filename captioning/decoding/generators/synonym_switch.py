"""Different captions by switching words for words of similar vectors (SS)."""

import torch
from torch import Tensor

from captioning.api.errors import CaptionerError
from captioning.decoding.beam import search_beam
from captioning.decoding.decoded import DecodedCaptions
from captioning.decoding.generators.settings import GeneratorSettings
from captioning.decoding.scoring import score_words
from captioning.networks.network import CaptionNetwork, EncodedRegions


@torch.no_grad()
def caption_with_synonyms(
    network: CaptionNetwork,
    images: Tensor | EncodedRegions,
    *,
    settings: GeneratorSettings,
    generator: torch.Generator,
) -> DecodedCaptions:
    """Return the most probable caption of each image, then copies of it with switched words (SS).

    A word of the k-th copy is switched with the k-th of `settings.switch_probabilities`. The log-probabilities are
    those that the network gives to the changed captions. Arguments as for `generate_captions`.

    Raises:
        CaptionerError: The settings have no synonyms; or as for `decode`.
    """
    if settings.synonyms is None:
        raise CaptionerError("synonym switch needs `synonyms`, from word vectors of the training captions")
    regions = network.encoder(images)
    state = network.decoder.begin(regions)
    found = search_beam(network.decoder, state, n=1, max_words=settings.max_words, size=settings.beam_size)
    n_images, _, steps = found.ids.shape
    first = found.ids[:, 0].cpu()
    copies = first.repeat_interleave(settings.n - 1, dim=0)
    probabilities = torch.tensor(settings.switch_probabilities).repeat(n_images)
    switched = settings.synonyms.switch(copies, probabilities=probabilities, generator=generator)
    ids = torch.cat([first.unsqueeze(1), switched.view(n_images, -1, steps)], dim=1).to(found.ids.device)
    rows = torch.arange(n_images, device=ids.device).repeat_interleave(settings.n)
    words = score_words(network.decoder, regions.take(rows), ids.flatten(0, 1))
    return DecodedCaptions(ids=ids, word_log_probabilities=words.view(ids.shape))
