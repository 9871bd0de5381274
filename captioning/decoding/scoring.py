"""Log-probabilities of given captions."""

import torch
from torch import Tensor

from captioning.networks.network import EncodedRegions, WordDecoder
from captioning.networks.targets import gather_words, shift


def score_words(
    decoder: WordDecoder, regions: EncodedRegions, ids: Tensor, *, generator: torch.Generator | None = None
) -> Tensor:
    """Return `(n, n_steps)`: the log-probability of each entry of captions, 0 for `<pad>`; differentiable.

    Args:
        decoder: Gives the probabilities.
        regions: One image for each caption; `regions.take` repeats an image.
        ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
        generator: With it, dropout is applied as in training.
    """
    return gather_words(decoder(regions, shift(ids), generator=generator), ids)


def score_captions(decoder: WordDecoder, regions: EncodedRegions, ids: Tensor) -> Tensor:
    """Return `(n,)`, float64, on the CPU: the log-probability of each caption; arguments as for `score_words`."""
    with torch.no_grad():
        return score_words(decoder, regions, ids).cpu().double().sum(dim=1)
