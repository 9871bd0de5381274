"""Measures whether judgments transfer between data sets: `python -m benchmarks.critics.judgments_transfer`.

The weights of the parts of `critic-reference` are fitted by least squares on the development parts of all data sets
but one, and scored on the development part of that one. The table is written to docs/critics.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.reference import KeptEncoder
from benchmarks.critics.reference_choice import DEVELOPMENT, Measured, measure_all
from benchmarks.critics.reference_page import write_transfer
from benchmarks.judged_captions import Values, choose_images
from correlation.protocols.inputs import JudgedPairs
from correlation.protocols.rated_items import pool_ratings, select_judgments
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head
from metrics_plugins.runtime import load_registry

RESULTS: Final = Path(__file__).with_suffix(".json")
# Standard errors in the width of an interval of 95 %.
_WIDTH: Final = 2 * 1.96


def gather_targets(measured: Measured) -> tuple[Values, Values]:
    """Return the parts and mean judgments of the development rows.

    Judgments are standardised; of a pair, the caption that people chose has the judgment 1 and the other one -1.
    """
    data = measured.judged.data
    if isinstance(data, JudgedPairs):
        votes = data.votes
        rows = np.column_stack([2 * votes.item, 2 * votes.item + 1]).ravel()
        targets = np.column_stack([votes.value, -votes.value]).ravel()
        images = np.repeat(np.asarray(votes.image)[votes.item], 2)
    else:
        rows, targets = pool_ratings("mean", data.judgments, select_judgments(measured.judged.protocol, data))
        images = np.asarray(data.judgments.image)[rows]
    kept = choose_images(images, DEVELOPMENT)
    chosen = targets[kept]
    return measured.parts[rows[kept]], (chosen - chosen.mean()) / chosen.std()


def score_left_out(sets: Mapping[str, Measured], name: str) -> Values:
    """Return the scores of a data set by weights fitted on the others, each of which counts alike."""
    found = [gather_targets(each) for other, each in sets.items() if other != name]
    n_rows = min(len(targets) for _, targets in found)
    rng = np.random.default_rng(0)
    drawn = [rng.choice(len(targets), size=n_rows, replace=False) for _, targets in found]
    parts = np.concatenate([parts[rows] for (parts, _), rows in zip(found, drawn, strict=True)])
    targets = np.concatenate([targets[rows] for (_, targets), rows in zip(found, drawn, strict=True)])
    design = np.column_stack([parts, np.ones(len(parts))])
    weights = np.linalg.lstsq(design, targets, rcond=None)[0]
    scores: Values = sets[name].parts @ weights[:-1]
    return scores


def measure(sets: Mapping[str, Measured]) -> dict[str, Any]:
    """Return, for each data set left out, the gain over `sentence-cosine`, its interval, and it in standard errors."""
    found = {}
    for name, each in sets.items():
        gain, low, high = each.judged.compare(score_left_out(sets, name), each.parts[:, 0], part=DEVELOPMENT)
        found[name] = {"gain": gain, "low": low, "high": high, "errors": gain / ((high - low) / _WIDTH)}
        sys.stderr.write(f"{name}: {found[name]}\n")
    return found


def main() -> int:
    """Measure the parts, fit and score, and write the results and the table of the page."""
    encoder = load_registry(strict=True).get_encoder("minilm", device="cpu")
    if not isinstance(encoder, TokenEncoder):
        raise SystemExit("the encoder gives no vectors of tokens")
    results = measure(measure_all(Head.read(BUNDLED), KeptEncoder(encoder)))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_transfer(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
