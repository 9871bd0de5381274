"""The simulated population that judges the demo studies. These judgments are by nobody, which the pages state.

Every rater perceives a quality between 0 and 1 with a bias (leniency), individual noise, and some care: a careless
answer is independent of the quality.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class SimulatedRater:
    """One member of the population.

    Attributes:
        bias: Added to every perceived quality; normal with mean 0 and standard deviation 0.08.
        noise: Standard deviation of the perception error; uniform between 0.05 and 0.2.
        care: Probability that an answer follows from the perception; 1 less a beta(1, 15) variable.
    """

    bias: float
    noise: float
    care: float

    def perceive(self, quality: float, *, rng: np.random.Generator) -> float:
        """Return a quality as perceived by this rater this time, from 0 to 1."""
        if rng.random() > self.care:
            return float(rng.random())
        return float(np.clip(quality + self.bias + rng.normal(0.0, self.noise), 0.0, 1.0))

    def rate(self, quality: float, *, scale: Sequence[float], rng: np.random.Generator) -> float:
        """Return the point of a scale, given from lowest to highest, for the perceived quality."""
        return scale[min(int(self.perceive(quality, rng=rng) * len(scale)), len(scale) - 1)]

    def choose(self, quality: float, other: float, *, rng: np.random.Generator) -> float:
        """Return 1.0 if this rater prefers the first of two, else -1.0."""
        return 1.0 if self.perceive(quality, rng=rng) >= self.perceive(other, rng=rng) else -1.0


def make_population(size: int, *, rng: np.random.Generator) -> list[SimulatedRater]:
    """Draw this many raters from the distributions above."""
    return [
        SimulatedRater(
            bias=float(rng.normal(0.0, 0.08)), noise=float(rng.uniform(0.05, 0.2)), care=1.0 - float(rng.beta(1, 15))
        )
        for _ in range(size)
    ]
