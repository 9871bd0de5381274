"""Words of similar vectors, for which the words of a caption are switched."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from captioning.decoding.sampling import draw
from metrics_plugins.text.vocabulary import END, MARKS

NEIGHBOURS: Final = 10

WORDS_AT_ONCE: Final = 512
"""The rows of the matrix of cosines that are in memory: all of them would be 5.8 GB for 27,000 words."""


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """The words of most similar vectors, for each word of a vocabulary.

    Attributes:
        ids: `(n_words, k)`: word numbers, the most similar one first; the rows of special tokens are not used.
        weights: `(n_words, k)`: the probability of each, which is proportional to its similarity.
    """

    ids: Tensor
    weights: Tensor

    @classmethod
    def find(cls, vectors: NDArray[np.float32], *, k: int = NEIGHBOURS) -> "Synonyms":
        """Return the `k` words of highest cosine for each word, weighted by their cosines.

        Negative cosines weigh nothing; where all are negative, all weigh the same. A vocabulary of at most `k` words
        gives fewer; the only word of a vocabulary is its own neighbour, so that it is never replaced.

        Args:
            vectors: `(n_words, dimension)`, of the words after the special tokens.
            k: The number of neighbours.
        """
        rows = torch.nn.functional.normalize(torch.from_numpy(vectors).double(), dim=1)
        found = [_find_nearest(rows, start=start, k=k) for start in range(0, len(rows), WORDS_AT_ONCE)]
        best, neighbours = (torch.cat(parts) for parts in zip(*found, strict=True))
        weights = best.clamp(min=0.0)
        weights[weights.sum(dim=1) == 0] = 1.0
        weights /= weights.sum(dim=1, keepdim=True)
        marks = (len(MARKS), neighbours.shape[1])
        return cls(
            ids=torch.cat([torch.zeros(marks, dtype=torch.long), neighbours + len(MARKS)]),
            weights=torch.cat([torch.ones(marks), weights.float()]),
        )

    def switch(self, ids: Tensor, *, probabilities: Tensor, generator: torch.Generator) -> Tensor:
        """Return captions, each word of which is switched independently for one of its neighbours.

        Args:
            ids: `(n, n_steps)`, on the CPU.
            probabilities: `(n,)`: the probability with which a word of each caption is switched.
            generator: On the CPU.
        """
        is_switched = torch.rand(ids.shape, generator=generator) < probabilities.unsqueeze(1)
        numbers = torch.rand(ids.numel(), generator=generator)
        chosen = draw(self.weights[ids.flatten()], numbers).view(ids.shape)
        others = self.ids[ids].gather(2, chosen.unsqueeze(2)).squeeze(2)
        return torch.where(is_switched & (ids > END), others, ids)


def _find_nearest(rows: Tensor, *, start: int, k: int) -> tuple[Tensor, Tensor]:
    """Return cosines and places, `(n, k)`, of the words nearest to those of a block."""
    block = torch.arange(start, min(start + WORDS_AT_ONCE, len(rows)))
    cosines = rows[block] @ rows.T
    if len(rows) > 1:
        cosines[torch.arange(len(block)), block] = -torch.inf
    best, neighbours = cosines.topk(min(k, max(len(rows) - 1, 1)), dim=1)
    return best, neighbours
