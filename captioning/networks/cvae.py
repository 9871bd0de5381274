"""Conditional variational auto-encoders of captions (Wang, Schwing and Lazebnik 2017)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from captioning.networks.network import EncodedRegions
from captioning.networks.noise import NoiseDecoder
from captioning.networks.targets import gather_words, shift
from metrics_plugins.metrics.critics.network_state import drop
from metrics_plugins.text.vocabulary import PAD

PRIOR_DEVIATION = 0.1
"""The standard deviation of the components of `GmmCvaeDecoder`, as in the paper."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The parts of the lower bound of the log-probability of captions.

    Attributes:
        words: `(n, n_steps)`: the log-probability of each entry given the random vector, 0 for `<pad>`.
        divergence: `(n,)`: the divergence of the posterior from the prior; for a mixture an unbiased estimate.
    """

    words: Tensor
    divergence: Tensor

    def weigh(self, weight: float = 1.0) -> Tensor:
        """Return `(n,)`: what is maximised; the bound if the weight of the divergence is 1."""
        return self.words.sum(dim=1) - weight * self.divergence


class CvaeDecoder(NoiseDecoder):
    """A decoder with a standard normal prior, and an LSTM that gives the posterior of a caption in training.

    Training maximises `compute_bound(...).weigh(divergence_weight)`. With a weight of 1, as in the paper, small
    networks learn to ignore the random vector.

    Scoring and decoding from `begin` condition on the most probable random vector; their log-probabilities are not
    those of the mixture over all vectors.
    """

    def __init__(
        self, *, n_words: int, embedding: int, hidden: int, dropout: float, noise: int, divergence_weight: float
    ) -> None:
        super().__init__(n_words=n_words, embedding=embedding, hidden=hidden, dropout=dropout, noise=noise)
        self.divergence_weight = divergence_weight
        self.posterior_image = nn.Linear(hidden, embedding)
        self.posterior_lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.posterior_output = nn.Linear(hidden, 2 * noise)

    def read_posterior(
        self, regions: EncodedRegions, ids: Tensor, *, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return the means and the logarithms of the variances, `(n, noise)` each, of the posterior of captions."""
        vectors = drop(self.embedding(ids), self.dropout, generator)
        inputs = torch.cat([self.posterior_image(regions.mean).unsqueeze(1), vectors], dim=1)
        outputs, _ = self.posterior_lstm(inputs)
        # The output after the last entry; the image is input 0.
        lengths = (ids != PAD).sum(dim=1)
        last = outputs[torch.arange(len(ids), device=ids.device), lengths]
        means, logarithms = self.posterior_output(last).float().chunk(2, dim=1)
        return means, logarithms

    def compute_bound(self, regions: EncodedRegions, ids: Tensor, *, generator: torch.Generator) -> Bound:
        """Return the lower bound of the log-probability of captions, estimated with one random vector each.

        Args:
            regions: One image for each caption.
            ids: `(n, n_steps)`: words and `<eos>`, padded with `<pad>`.
            generator: The source of the random vectors and of dropout, on the CPU.
        """
        means, logarithms = self.read_posterior(regions, ids, generator=generator)
        numbers = torch.randn(means.shape, generator=generator).to(means.device)
        noise = means + numbers * (logarithms / 2).exp()
        given = self.read(shift(ids), self.begin_with_noise(regions, noise), generator=generator)
        return Bound(gather_words(given, ids), self.compute_divergence(regions, means, logarithms, noise))

    def compute_divergence(self, regions: EncodedRegions, means: Tensor, logarithms: Tensor, noise: Tensor) -> Tensor:
        """Return `(n,)`: the Kullback-Leibler divergence of the posterior from the standard normal distribution."""
        return 0.5 * (means.square() + logarithms.exp() - 1 - logarithms).sum(dim=1)


class Mixture(nn.Module):
    """A mixture of normal distributions whose weights depend on the image.

    The means are random unit vectors, which are not trained. In the paper the weights are the objects that a detector
    finds in the image; here they are predicted from its regions, and learned with the rest.
    """

    def __init__(self, *, size: int, hidden: int, components: int) -> None:
        super().__init__()
        self.logits = nn.Linear(hidden, components)
        self.means: Tensor
        self.register_buffer("means", torch.zeros(components, size))

    def draw_weights(self, generator: torch.Generator) -> None:
        """Draw the means."""
        self.means.copy_(nn.functional.normalize(torch.randn(self.means.shape, generator=generator), dim=1))

    def weigh(self, regions: EncodedRegions) -> Tensor:
        """Return `(n, components)`: the logarithms of the weights."""
        return torch.log_softmax(self.logits(regions.mean).float(), dim=1)

    def compute_log_density(self, regions: EncodedRegions, noise: Tensor) -> Tensor:
        """Return `(n,)`: the logarithm of the density of random vectors `(n, size)`."""
        distances = (noise.unsqueeze(1) - self.means).square().sum(dim=2)
        constant = noise.shape[1] * math.log(PRIOR_DEVIATION * math.sqrt(2 * math.pi))
        return torch.logsumexp(self.weigh(regions) - distances / (2 * PRIOR_DEVIATION**2) - constant, dim=1)


class GmmCvaeDecoder(CvaeDecoder):
    """A `CvaeDecoder` whose prior is a mixture (the GMM-CVAE of the paper)."""

    def __init__(
        self,
        *,
        n_words: int,
        embedding: int,
        hidden: int,
        dropout: float,
        noise: int,
        divergence_weight: float,
        components: int,
    ) -> None:
        super().__init__(
            n_words=n_words,
            embedding=embedding,
            hidden=hidden,
            dropout=dropout,
            noise=noise,
            divergence_weight=divergence_weight,
        )
        self.prior = Mixture(size=noise, hidden=hidden, components=components)

    def choose_noise(self, regions: EncodedRegions) -> Tensor:
        """Return the mean of the most probable component of each image, `(n, noise)`."""
        return self.prior.means[self.prior.weigh(regions).argmax(dim=1)]

    def draw_noise(self, regions: EncodedRegions, *, deviations: Sequence[float], generator: torch.Generator) -> Tensor:
        """As `NoiseDecoder.draw_noise`, around the mean of a component drawn by its weight."""
        weights = self.prior.weigh(regions).exp().cpu()
        components = torch.multinomial(weights, len(deviations), replacement=True, generator=generator)
        around = super().draw_noise(regions, deviations=deviations, generator=generator)
        return self.prior.means[components.to(around.device)] + around

    def compute_divergence(self, regions: EncodedRegions, means: Tensor, logarithms: Tensor, noise: Tensor) -> Tensor:
        """Return `(n,)`: an unbiased estimate of the divergence from the mixture, at the random vectors drawn."""
        squares = (noise - means).square() / logarithms.exp()
        log_posterior = -0.5 * (squares + logarithms + math.log(2 * math.pi)).sum(dim=1)
        return log_posterior - self.prior.compute_log_density(regions, noise)
