"""The settings that the generators of diverse captions have in common."""

from dataclasses import dataclass
from typing import Final

from captioning.decoding.generators.synonyms import Synonyms

BEAM: Final = 3
"""The beam of generators; the paper states it for synonym switch only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSettings:
    """The settings, by default those of Wang, Wan and Chan (2022), sections 5.1-5.3.

    Attributes:
        n: The number of captions of an image.
        max_words: The maximum number of words of a caption, after which it is ended.
        beam_size: The beam of all generators but random sampling.
        synonyms: For the words of the network's vocabulary; needed by synonym switch only.
    """

    n: int = 10
    max_words: int = 16
    beam_size: int = BEAM
    synonyms: Synonyms | None = None

    @property
    def deviations(self) -> list[float]:
        """`(n,)`: the standard deviations of noise and of random vectors: 1, 2, ..., n."""
        return [float(deviation) for deviation in range(1, self.n + 1)]

    @property
    def switch_probabilities(self) -> list[float]:
        """`(n - 1,)`: the probabilities of switching a word: .1, .15, ..., but never above 1."""
        return [min((2 + step) / 20, 1.0) for step in range(self.n - 1)]
