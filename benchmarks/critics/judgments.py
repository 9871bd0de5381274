"""Measures how well `critic-judgments` predicts judgments: `python -m benchmarks.critics.judgments`.

It is cross-fitted on the judgments of Flickr8k's experts, and fitted on those of CrowdFlower for other images. The
table is written to docs/critics.md.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.judgments_page import write_section
from benchmarks.judged_captions import Judged, Values, read_judged
from correlation.protocols.inputs import RatedItems
from correlation.protocols.rated_items import pool_ratings, select_judgments
from metrics_plugins.api import Batch, Fittable
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.runtime import CrossFitted, cross_fit_metric, fit_metric, load_registry, run_metric

RESULTS: Final = Path(__file__).with_suffix(".json")
OWN: Final = "`critic-judgments`, cross-fitted"
OTHER: Final = "`critic-judgments`, learned from Flickr8k-CF's judgments of other images"
WITHOUT: Final = "the same without the group `critic`, cross-fitted"
BESIDE: Final = "`critic-reference`"
ZERO_SHOT: Final = "`sentence-cosine`"
SCORED: Final = "Flickr8k-Expert"
CROWD: Final = "Flickr8k-CF"


def gather_judged(judged: Judged) -> JudgedRows:
    """Return the rows used by the protocol, each with its mean judgment and its image."""
    if not isinstance(judged.data, RatedItems):
        raise TypeError("pairs have no judgment of one caption")
    used = select_judgments(judged.protocol, judged.data)
    rows, targets = pool_ratings("mean", judged.data.judgments, used)
    return JudgedRows(key_images(judged).select(rows), targets)


def key_images(judged: Judged) -> Batch:
    """Return the batch of all rows with the keys of their images."""
    batch = judged.batch
    return Batch.make(
        batch.keys,
        candidates=batch.candidates,
        references=batch.references,
        image_keys=[str(image) for image in judged.data.judgments.image],  # type: ignore[union-attr]
    )


def cross_fit(judged: JudgedRows, **params: object) -> CrossFitted:
    """Return the metric fitted on these rows by cross-fitting."""
    metric = load_registry(strict=True).build("critic-judgments", **params)
    if not isinstance(metric, Fittable):
        raise TypeError("critic-judgments must be one that learns")
    return cross_fit_metric(metric, judged, rng=np.random.default_rng(0))


def score_plainly(metric_id: str, batch: Batch) -> Values:
    """Return the scores of a metric that needs no judgments."""
    metric = load_registry(strict=True).build(metric_id)
    rng = np.random.default_rng(0)
    return run_metric(
        fit_metric(metric, batch, rng=rng) if isinstance(metric, Fittable) else metric, batch, rng=rng
    ).scores.values


def list_scores(judged: Judged, crowd: Judged) -> Iterator[tuple[str, Values]]:
    """Yield the scores of the rows for each metric."""
    batch, own = key_images(judged), gather_judged(judged)
    yield ZERO_SHOT, score_plainly("sentence-cosine", batch)
    yield BESIDE, score_plainly("critic-reference", batch)
    learned = {
        WITHOUT: cross_fit(own, features="sentences+tokens+words"),
        OTHER: cross_fit(gather_judged(crowd)),
        OWN: cross_fit(own),
    }
    for row, metric in learned.items():
        yield row, run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


def measure(judged: Judged, scores: dict[str, Values]) -> dict[str, Any]:
    """Return the results for one data set, with p-values (PERM-BOTH) against `critic-reference`."""
    found: dict[str, Any] = {}
    for row, values in scores.items():
        value, low, high = judged.correlate(values, with_interval=True)
        found[row] = {"value": value, "low": low, "high": high}
        if row not in (ZERO_SHOT, BESIDE):
            found[row]["p"] = judged.test(values, scores[BESIDE])
    return found


def main() -> int:
    """Fit and score the metrics, and write the results and the section of the page."""
    sets = dict(read_judged())
    found = measure(sets[SCORED], dict(list_scores(sets[SCORED], sets[CROWD])))
    results = {"coefficients": {SCORED: "tau-c"}, "sets": {SCORED: found}}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_section(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
