"""Weights of `critic-reference` chosen by a rule: `python -m benchmarks.critic_reference_choice [--parts FILE]`.

The weights in the package were chosen by eye, with all judgments in sight. Here they are chosen by a rule on one half
of the images and looked at on the other, both ways round, so that no number counts that chose its own weights. The
spaces are those of the package. `--parts` names a file where the parts of all rows are kept for another run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critic_reference import KeptEncoder
from benchmarks.critic_reference_page import write_choice
from benchmarks.judged_captions import Judged, Values, read_judged
from metrics_plugins.api import TokenEncoder, load_registry
from metrics_plugins.reference_critic.heads import BUNDLED, Head
from metrics_plugins.reference_critic.parts import SpacedEncoder, measure_parts

RESULTS: Final = Path(__file__).with_suffix(".json")
HALVES: Final = ("development", "held back")
SHARES: Final = (0.0, 0.5, 1.0)
EQUAL: Final = (1.0, 1.0, 1.0, 1.0)
Weights = tuple[float, ...]


def list_grid() -> list[Weights]:
    """Return the weights of precision, recall, mean and best that are tried; of multiples only one."""
    found = itertools.product(SHARES, repeat=4)
    return sorted({tuple(weight / max(weights) for weight in weights) for weights in found if any(weights)})


def measure_weights(weights: Weights, parts: Mapping[str, Values], judged: Mapping[str, Judged], half: str) -> Values:
    """Return `(n_sets,)`: the numbers of all data sets on the images of a half (or `all`), times 100."""
    return np.array([judged[name].correlate(parts[name] @ np.array(weights), part=half)[0] for name in judged])


def choose_weights(parts: Mapping[str, Values], judged: Mapping[str, Judged], half: str) -> Weights:
    """Return the weights with the largest mean number on a half; of equal ones the first of the grid."""
    return max(list_grid(), key=lambda weights: float(measure_weights(weights, parts, judged, half).mean()))


def compare_choices(parts: Mapping[str, Values], judged: Mapping[str, Judged], shipped: Weights) -> dict[str, Any]:
    """Return the numbers of each choice on both halves and on all images."""
    choices = {"equal": EQUAL, "shipped": shipped, **{half: choose_weights(parts, judged, half) for half in HALVES}}
    rows = {}
    for name, weights in choices.items():
        numbers = {part: measure_weights(weights, parts, judged, part).tolist() for part in (*HALVES, "all")}
        rows[name] = {"weights": list(weights), "numbers": numbers}
    first, second = HALVES
    unseen = [rows[first]["numbers"][second], rows[second]["numbers"][first]]
    return {"sets": list(judged), "rows": rows, "unseen": np.mean(unseen, axis=0).tolist(), "n_grid": len(list_grid())}


def measure_all(judged: Mapping[str, Judged], head: Head) -> dict[str, Values]:
    """Return `(n_rows, 4)` of each data set: the parts, each over its spread."""
    encoder = load_registry(strict=True).get_encoder("minilm", device="cpu")
    if not isinstance(encoder, TokenEncoder):
        raise SystemExit("the encoder gives no vectors of tokens")
    spaced = SpacedEncoder(KeptEncoder(encoder), head.sentences, head.tokens, head.digest)
    return {name: measure_parts(each.batch, spaced) / head.spreads for name, each in judged.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts, choose, write the results and the table of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--parts", type=Path, help="an .npz file; read if it is there, else written")
    chosen = parser.parse_args(arguments)
    judged, head = dict(read_judged()), Head.read(BUNDLED)
    if chosen.parts and chosen.parts.exists():
        parts = dict(np.load(chosen.parts))
    else:
        parts = measure_all(judged, head)
        if chosen.parts:
            np.savez(chosen.parts, allow_pickle=False, **parts)
    results = compare_choices(parts, judged, head.settings.weights)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_choice(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
