"""The loss of a step: weighted negative log-probabilities of captions, whatever the objective."""

import torch
from torch import Tensor, nn

from captioning.decoding.decoded import DecodedCaptions
from captioning.networks.cvae import CvaeDecoder
from captioning.networks.network import CaptionNetwork, EncodedRegions
from captioning.networks.targets import gather_words, shift
from metrics_plugins.text.vocabulary import END, PAD, UNKNOWN


class WeightedLoss(nn.Module):
    """-sum_i w_i log p(c_i), as a module, so that it can be compiled and distributed as a whole."""

    def __init__(self, network: CaptionNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(
        self,
        images: Tensor | EncodedRegions,
        rows: Tensor,
        ids: Tensor,
        weights: Tensor,
        is_sampled: Tensor,
        generator: torch.Generator | None,
    ) -> Tensor:
        """Return the loss, a scalar.

        Sampling never draws the unknown word, so that the probability of a sampled caption is that of the network
        divided, at each step, by the probability of all other words.

        Args:
            images: The input of the encoder.
            rows: `(n,)`: the image of each caption.
            ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
            weights: `(n,)`.
            is_sampled: `(n,)`: whether the caption was sampled from the network.
            generator: With it, dropout is applied, and captions of a variational decoder get the lower bound of their
                log-probability with a random vector drawn from their posterior.
        """
        regions = self.network.encoder(images).take(rows)
        decoder = self.network.decoder
        if isinstance(decoder, CvaeDecoder) and generator is not None:
            bound = decoder.compute_bound(regions, ids, generator=generator)
            return -(bound.weigh(decoder.divergence_weight) * weights).sum()
        given = decoder(regions, shift(ids), generator=generator)
        words = gather_words(given, ids)
        # At most 1 - 1e-6, as an unknown word that is certain would give log 0.
        others = torch.log1p(-given[:, :, UNKNOWN].exp().clamp(max=1 - 1e-6))
        words = words - others.masked_fill((ids == PAD) | ~is_sampled.unsqueeze(1), 0.0)
        return -(words.sum(dim=1) * weights).sum()


def drop_forced_ends(decoded: DecodedCaptions) -> Tensor:
    """Return `(n_images * n, n_steps)`: the sampled entries, without ends that the maximum length forced."""
    ids = decoded.ids.flatten(0, 1).clone()
    ids[:, -1] = ids[:, -1].masked_fill(ids[:, -1] == END, PAD)
    return trim(ids)


def trim(ids: Tensor) -> Tensor:
    """Return captions `(n, n_steps)` without the steps that are padding in all of them, and at least one step."""
    used = (ids != PAD).any(dim=0).nonzero()
    return ids[:, : int(used.max()) + 1 if len(used) else 1]


def join(first: Tensor, second: Tensor) -> Tensor:
    """Return the captions of both, `(n + k, n_steps)`, padded to the longer number of steps."""
    steps = max(first.shape[1], second.shape[1])
    padded = [nn.functional.pad(each, (0, steps - each.shape[1]), value=PAD) for each in (first, second)]
    return torch.cat(padded)
