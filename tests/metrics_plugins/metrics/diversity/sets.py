"""Caption sets tokenised at white space, and the registry that scores them."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api import Batch, Fittable, Metric
from metrics_plugins.runtime import MetricRun, Registry, fit_metric, load_registry, run_metric

_FOLDER = Path(__file__).resolve().parents[4] / "fixtures/golden"
GOLDEN = json.loads((_FOLDER / "diversity.json").read_text())
REFERENCES = [image["references"] for image in json.loads((_FOLDER / "ngram_metrics.json").read_text())["images"]]

SET_METRICS = (
    *("lsa", "mbleu-1", "mbleu-2", "mbleu-3", "mbleu-4", "mbleu-mix"),
    *("self-cider", "self-cider-d", "m-cider", "set-cider", "f-beta", "div-1", "div-2", "novelty"),
)
CORPUS_METRICS = (
    "mbleu-1-corpus",
    "mbleu-2-corpus",
    "mbleu-3-corpus",
    "mbleu-4-corpus",
    "vocabulary-size",
    "ttr",
    "ttr-1",
    "ttr-2",
    "coverage",
)

CaptionSet = Sequence[str]


@cache
def load_bundled_registry() -> Registry:
    return load_registry(strict=True)


def make_batch(caption_sets: Sequence[CaptionSet], *, references: Sequence[CaptionSet] | None = None) -> Batch:
    """Return a batch with the row numbers as keys; each row has the reference "a dog" unless some are given."""
    return Batch.make(
        [str(row) for row in range(len(caption_sets))],
        caption_sets=caption_sets,
        references=[["a dog"]] * len(caption_sets) if references is None else references,
    )


def make_golden_batch() -> Batch:
    return make_batch([golden["captions"] for golden in GOLDEN["sets"]])


def fit(metric_id: str, batch: Batch | None = None, **params: Any) -> Metric:
    """Return a metric over white-space tokens, fitted on the golden references unless a batch is given."""
    metric = load_bundled_registry().build(metric_id, tokenizer="white-space", **params)
    if not isinstance(metric, Fittable):
        return metric
    return fit_metric(metric, batch or make_batch(REFERENCES, references=REFERENCES), rng=np.random.default_rng(0))


def run(metric: str | Metric, batch: Batch, **params: Any) -> MetricRun:
    return run_metric(fit(metric, **params) if isinstance(metric, str) else metric, batch, rng=np.random.default_rng(0))


def score(metric: str | Metric, caption_sets: Sequence[CaptionSet], **params: Any) -> list[float]:
    """Return the score of each set (of all together at corpus level)."""
    return run(metric, make_batch(caption_sets), **params).scores.values.tolist()
