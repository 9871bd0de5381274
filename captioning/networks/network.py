"""The contract of caption networks: an encoder turns images into regions, a decoder gives probabilities of words."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

State = tuple[Tensor, ...]
"""What a decoder remembers between steps: tensors whose first dimension is the number of rows (hypotheses)."""


@dataclass(frozen=True, slots=True)
class EncodedRegions:
    """Feature vectors of a batch of images on the device.

    Attributes:
        values: `(n, n_regions, dimension)`, float.
        mask: `(n, n_regions)`, bool: whether the region exists; at least one does.
    """

    values: Tensor
    mask: Tensor

    def take(self, rows: Tensor) -> "EncodedRegions":
        """Return the selected rows, `(k,)`, in the given order."""
        return EncodedRegions(self.values[rows], self.mask[rows])

    @property
    def mean(self) -> Tensor:
        """`(n, dimension)`: the mean over the existing regions."""
        weights = self.mask.to(self.values.dtype).unsqueeze(2)
        return (self.values * weights).sum(dim=1) / weights.sum(dim=1)


class Stepper(Protocol):
    """Gives the probabilities of the next word; decoders need nothing else of a network."""

    def step(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """Return `(n, n_words)` log-probabilities of the next words after `words` `(n,)`, and the next state."""
        ...


class WordDecoder(nn.Module, ABC):
    """A recurrent decoder over regions.

    The probabilities of all words, `<unk>` and `<eos>` sum to 1; `<pad>` and `<sos>` have none (log -inf). Decoding
    never chooses `<unk>`, but reports the log-probabilities that the network gives, without renormalisation.
    """

    @abstractmethod
    def begin(self, regions: EncodedRegions) -> State:
        """Return the state before `<sos>`."""

    @abstractmethod
    def step(self, words: Tensor, state: State) -> tuple[Tensor, State]:
        """As `Stepper.step`."""

    def forward(self, regions: EncodedRegions, words: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
        """Return `(n, n_steps, n_words)`: log-probabilities after each prefix of `words` `(n, n_steps)`.

        `words` begin with `<sos>`. With a generator (on the CPU), dropout is applied as in training. By default the
        steps are computed one by one, without dropout; a decoder that can process them at once overrides this, with
        equal results up to rounding.
        """
        state = self.begin(regions)
        rows = []
        for step in range(words.shape[1]):
            log_probabilities, state = self.step(words[:, step], state)
            rows.append(log_probabilities)
        return torch.stack(rows, dim=1)


class CaptionNetwork(nn.Module):
    """An encoder of images and a decoder of words, trained end to end.

    Attributes:
        encoder: Maps pixels `(n, 3, height, width)` in [0, 1], or given regions, to `EncodedRegions`.
        decoder: A `WordDecoder`.
    """

    def __init__(self, encoder: nn.Module, decoder: WordDecoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder


def take_state(state: State, rows: Tensor) -> State:
    """Return the state of the selected rows, `(k,)`, in the given order."""
    return tuple(each[rows] for each in state)
