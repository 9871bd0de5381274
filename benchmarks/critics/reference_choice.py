"""Chooses the weights of `critic-reference` by a rule: `python -m benchmarks.critics.reference_choice`.

The rule in docs/critics.md compares weights on the development part of five data sets. Weights are tried in a random
search with a seed, from those of an earlier search by hand. The head is the bundled one, except for its weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.reference import KeptEncoder
from benchmarks.critics.reference_page import write_choice
from benchmarks.judged_captions import Judged, Values, read_judged
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head
from metrics_plugins.metrics.critics.reference.parts import SpacedEncoder, measure_parts
from metrics_plugins.metrics.critics.reference.settings import PARTS
from metrics_plugins.runtime import load_registry

RESULTS: Final = Path(__file__).with_suffix(".json")
DEVELOPMENT: Final = "development"
N_TRIES: Final = 1500
START: Final = (0.75, 0.5, -0.17, 0.73, 0.85, 0.39, -0.21)
# Weights are multiples of this.
STEP: Final = 0.01
Weights = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked for a data set.

    Attributes:
        gain: The least gain over `sentence-cosine`, times 100.
        error: The standard error of a gain, from resamples of the images of the development part.
    """

    gain: float
    error: float


DEMANDS: Final = {
    "PASCAL-50S": Demand(1.43, 0.63),
    "Flickr8k-Expert": Demand(2.34, 0.38),
    "Composite": Demand(0.0, 0.40),
    "Nebula": Demand(0.0, 0.27),
    "Flickr8k-CF": Demand(0.0, 0.142),
}
"""Data sets in the order in which they are looked at: first those that most weights fail."""


@dataclass(frozen=True, eq=False)
class Measured:
    """A data set with the parts to be weighted.

    Attributes:
        judged: The judgments.
        parts: `(n_rows, n_parts)`: the parts, each divided by its spread; the first is the score of `sentence-cosine`.
        demand: What is asked for it.
    """

    judged: Judged
    parts: Values
    demand: Demand

    def find_gain(self, weights: Weights) -> float:
        """Return the gain over `sentence-cosine` on the development part, times 100."""
        return self.judged.correlate(self.parts @ np.array(weights), part=DEVELOPMENT)[0] - self.zero_shot

    @cached_property
    def zero_shot(self) -> float:
        """The coefficient of `sentence-cosine` on the development part, times 100."""
        return self.judged.correlate(self.parts[:, 0], part=DEVELOPMENT)[0]


@dataclass(frozen=True, slots=True, order=True)
class Worth:
    """The worth of weights by the rule; of two, the greater one is better.

    Attributes:
        shortfall: How far gains fall short of what is asked for, in standard errors, as a sum of negative numbers.
        least: The least gain in standard errors.
    """

    shortfall: float
    least: float


def rate_weights(sets: Mapping[str, Measured], weights: Weights, *, beaten_by: Worth | None = None) -> Worth | None:
    """Return the worth of weights, or None as soon as it cannot exceed `beaten_by`."""
    worth = Worth(0.0, np.inf)
    for each in sets.values():
        gain, demand = each.find_gain(weights), each.demand
        worth = Worth(
            worth.shortfall + min(0.0, gain - demand.gain) / demand.error, min(worth.least, gain / demand.error)
        )
        if beaten_by is not None and worth <= beaten_by:
            return None
    return worth


def choose_weights(
    sets: Mapping[str, Measured], *, start: Weights, n_tries: int, rng: np.random.Generator
) -> tuple[Weights, Worth]:
    """Return the best weights found, and their worth.

    Each try changes up to three of the best weights so far by normal amounts, which get smaller while nothing is found.
    """
    n_parts = len(next(iter(sets.values())).parts[0])
    best = start
    worth = rate_weights(sets, best) or Worth(-np.inf, -np.inf)
    size = 0.3
    for _ in range(n_tries):
        changed = rng.choice(n_parts, size=rng.integers(1, 4), replace=False)
        tried = np.array(best)
        tried[changed] += np.round(rng.normal(scale=size, size=len(changed)) / STEP) * STEP
        weights = tuple(np.round(tried, 2).tolist())
        found = None if weights == best else rate_weights(sets, weights, beaten_by=worth)
        if found is not None:
            best, worth, size = weights, found, min(size * 1.3, 0.6)
        else:
            size = max(size * 0.985, 0.02)
    return best, worth


def measure_all(head: Head, encoder: TokenEncoder) -> dict[str, Measured]:
    """Return the data sets, in the order of `DEMANDS`, with the parts computed with a head."""
    spaced = SpacedEncoder(encoder, head.sentences, head.tokens, head.digest)
    judged = dict(read_judged())
    return {
        name: Measured(judged[name], measure_parts(judged[name].batch, spaced, head.vocabulary) / head.spreads, demand)
        for name, demand in DEMANDS.items()
    }


def summarise(sets: Mapping[str, Measured], weights: Weights, worth: Worth, *, n_tries: int) -> dict[str, Any]:
    """Return the results that the page shows."""
    return {
        "weights": dict(zip(PARTS, weights, strict=True)),
        "gains": {name: each.find_gain(weights) for name, each in sets.items()},
        "shortfall": worth.shortfall,
        "least": worth.least,
        "n_tries": n_tries,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts, choose the weights, and write the results and the table of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tries", type=int, default=N_TRIES, help=f"how many weights are tried (default: {N_TRIES})")
    chosen = parser.parse_args(arguments)
    encoder = load_registry(strict=True).get_encoder("minilm", device="cpu")
    if not isinstance(encoder, TokenEncoder):
        raise SystemExit("the encoder gives no vectors of tokens")
    sets = measure_all(Head.read(BUNDLED), KeptEncoder(encoder))
    weights, worth = choose_weights(sets, start=START, n_tries=chosen.tries, rng=np.random.default_rng(0))
    results = summarise(sets, weights, worth, n_tries=chosen.tries)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_choice(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
