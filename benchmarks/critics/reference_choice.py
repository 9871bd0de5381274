"""Chooses the weights of `critic-reference` by a rule: `python -m benchmarks.critics.reference_choice`.

The rule in docs/critics.md chooses the weights on the development half of the images, and they are evaluated on the
other half. Applying the rule to the other half as well shows how well such weights generalise. The head is the bundled
one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.reference import KeptEncoder
from benchmarks.critics.reference_page import write_choice
from benchmarks.judged_captions import Judged, Values, read_judged
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head
from metrics_plugins.metrics.critics.reference.parts import SpacedEncoder, measure_parts
from metrics_plugins.metrics.embedding.cosines import average_references, derive_reference_cosines
from metrics_plugins.runtime import load_registry

RESULTS: Final = Path(__file__).with_suffix(".json")
HALVES: Final = ("development", "held back")
SHARES: Final = (0.0, 0.5, 1.0)
EQUAL: Final = (1.0, 1.0, 1.0, 1.0)
# Margins that differ by less than this number of standard errors count as equal.
TIE: Final = 0.25
Weights = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Demand:
    """The required gain for a data set.

    Attributes:
        gain: The gain over `sentence-cosine`, times 100.
        error: The standard error of such a gain for half of the images (100 resamples of the development half).
    """

    gain: float
    error: float


DEMANDS: Final = {
    "Flickr8k-Expert": Demand(2.34, 0.38),
    "Flickr8k-CF": Demand(1.0, 0.12),
    "PASCAL-50S": Demand(1.43, 0.55),
}


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A data set with the parts to be weighted.

    Attributes:
        judged: The judgments.
        parts: `(n_rows, 4)`: the parts, each divided by its spread.
        cosines: `(n_rows,)`: the scores of `sentence-cosine`.
        demand: The required gain.
    """

    judged: Judged
    parts: Values
    cosines: Values
    demand: Demand

    def correlate(self, weights: Weights, half: str) -> float:
        """Return the coefficient, times 100, for the images of a half (or `all`)."""
        return self.judged.correlate(self.parts @ np.array(weights), part=half)[0]

    def find_margin(self, weights: Weights, half: str) -> float:
        """Return the difference between actual and required gain over `sentence-cosine`, in standard errors."""
        gain = self.correlate(weights, half) - self.judged.correlate(self.cosines, part=half)[0]
        return (gain - self.demand.gain) / self.demand.error


def list_grid() -> list[Weights]:
    """Return the candidate weights of precision, recall, mean and best; only one of several multiples."""
    found = itertools.product(SHARES, repeat=4)
    return sorted({tuple(weight / max(weights) for weight in weights) for weights in found if any(weights)})


def choose_weights(sets: Mapping[str, Measured], half: str) -> Weights:
    """Return the weights with the largest minimal margin; of ties, those with the fewest parts."""
    least = {weights: min(each.find_margin(weights, half) for each in sets.values()) for weights in list_grid()}
    tied = [weights for weights in least if least[weights] >= max(least.values()) - TIE]
    return max(tied, key=lambda weights: (-np.count_nonzero(weights), least[weights]))


def compare_choices(sets: Mapping[str, Measured]) -> dict[str, Any]:
    """Return the results of each choice for both halves and for all images."""
    rows: dict[str, Any] = {}
    for name, weights in {"equal": EQUAL, **{half: choose_weights(sets, half) for half in HALVES}}.items():
        parts = (*HALVES, "all")
        numbers = {part: [each.correlate(weights, part) for each in sets.values()] for part in parts}
        rows[name] = {"weights": list(weights), "numbers": numbers}
    first, second = HALVES
    unseen = [rows[first]["numbers"][second], rows[second]["numbers"][first]]
    return {"sets": list(sets), "rows": rows, "unseen": np.mean(unseen, axis=0).tolist(), "n_grid": len(list_grid())}


def measure_all(head: Head, encoder: TokenEncoder) -> dict[str, Measured]:
    """Return the data sets with the parts computed with a head."""
    spaced = SpacedEncoder(encoder, head.sentences, head.tokens, head.digest)
    found = {}
    for name, judged in read_judged():
        parts = measure_parts(judged.batch, spaced) / head.spreads
        cosines = average_references(derive_reference_cosines(judged.batch, encoder), judged.batch.reference_rows)
        found[name] = Measured(judged, parts, cosines, DEMANDS[name])
    return found


def main() -> int:
    """Measure the parts, choose the weights, and write the results and the table of the page."""
    argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0]).parse_args()
    encoder = load_registry(strict=True).get_encoder("minilm", device="cpu")
    if not isinstance(encoder, TokenEncoder):
        raise SystemExit("the encoder gives no vectors of tokens")
    results = compare_choices(measure_all(Head.read(BUNDLED), KeptEncoder(encoder)))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_choice(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
