"""The order of training examples, and the seeds of each step: functions of the seed of a training and the step.

No random state needs to be saved, therefore, and training resumes anywhere.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]

WEIGHTS, ORDER, STEP, REFERENCE, VALIDATION, RETRIEVAL, EVALUATOR = range(7)
"""The purposes of random numbers, which are independent of each other."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The random numbers of a training."""

    seed: int

    def make_rng(self, *purpose: int) -> np.random.Generator:
        """Return the generator of a purpose: a constant of this module, followed by numbers such as the step."""
        return np.random.default_rng([self.seed, *purpose])

    def make_seed(self, *purpose: int) -> int:
        """Return a seed for another library, below 2^63."""
        return int(self.make_rng(*purpose).integers(2**63))


@dataclass(frozen=True, slots=True)
class BatchOrder:
    """Batches of an endless sequence: the examples in a new random order in each epoch, one epoch after the other.

    Every batch is full; one that contains the end of an epoch goes on with the next one.

    Attributes:
        draws: The source of the orders.
        phase: The number of the phase of training.
        n_examples: At least 1.
        batch_size: At least 1.
    """

    draws: Draws
    phase: int
    n_examples: int
    batch_size: int

    def get_rows(self, step: int) -> Int64:
        """Return `(batch_size,)`: the examples of a step, which is counted from 0."""
        places = np.arange(step * self.batch_size, (step + 1) * self.batch_size)
        epochs, offsets = np.divmod(places, self.n_examples)
        rows = np.empty(self.batch_size, dtype=np.int64)
        for epoch in np.unique(epochs).tolist():
            chosen = epochs == epoch
            rows[chosen] = _permute(self.draws, self.phase, epoch, self.n_examples)[offsets[chosen]]
        return rows

    def get_epoch(self, step: int) -> int:
        """Return the epoch in which a step begins, from 0."""
        return step * self.batch_size // self.n_examples


_KEPT: Final = 4


@lru_cache(maxsize=_KEPT)
def _permute(draws: Draws, phase: int, epoch: int, n_examples: int) -> Int64:
    return np.asarray(draws.make_rng(ORDER, phase, epoch).permutation(n_examples), dtype=np.int64)
