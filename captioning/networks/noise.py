"""Decoders that read a random vector with the image, so that different vectors give different captions."""

from collections.abc import Sequence

import torch
from torch import Tensor

from captioning.networks.decoders import LstmDecoder
from captioning.networks.network import EncodedRegions, State


class NoiseDecoder(LstmDecoder):
    """Show and Tell whose first input is the mean region concatenated with a random vector.

    It is the generator of Dai et al. (2017), section 3.1.
    """

    def __init__(self, *, n_words: int, embedding: int, hidden: int, dropout: float, noise: int) -> None:
        super().__init__(
            n_words=n_words,
            embedding=embedding,
            hidden=hidden,
            dropout=dropout,
            image_at_every_step=False,
            extra=noise,
        )
        self.noise = noise

    def forward(self, regions: EncodedRegions, words: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
        """As `WordDecoder.forward`; with a generator, random vectors of standard deviation 1 are drawn as well."""
        if generator is None:
            return super().forward(regions, words)
        noise = self.draw_noise(regions, deviations=[1.0], generator=generator)[:, 0]
        return self.read(words, self.begin_with_noise(regions, noise), generator=generator)

    def begin(self, regions: EncodedRegions) -> State:
        """Return the state before `<sos>`, with the most probable random vector."""
        return self.begin_with_noise(regions, self.choose_noise(regions))

    def begin_with_noise(self, regions: EncodedRegions, noise: Tensor) -> State:
        """Return the state before `<sos>` for random vectors `(n, noise)`."""
        return self.begin_with(torch.cat([regions.mean, noise], dim=1))

    def choose_noise(self, regions: EncodedRegions) -> Tensor:
        """Return the most probable random vector of each image, `(n, noise)`: zero."""
        return regions.values.new_zeros(len(regions.values), self.noise)

    def draw_noise(self, regions: EncodedRegions, *, deviations: Sequence[float], generator: torch.Generator) -> Tensor:
        """Return `(n_images, n, noise)`: for each image, one random vector of each standard deviation.

        Args:
            regions: The images.
            deviations: `(n,)`, 0 or positive.
            generator: On the CPU.
        """
        numbers = torch.randn(len(regions.values), len(deviations), self.noise, generator=generator)
        return (numbers * torch.tensor(deviations)[:, None]).to(regions.values.device)
