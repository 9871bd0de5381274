"""Rows of captions, and METEOR scores of them, with or without the tokeniser of the COCO caption evaluation."""

from collections.abc import Sequence

import numpy as np

from metrics_plugins.api import Batch
from metrics_plugins.runtime import MetricRun, run_metric
from tests.metrics_plugins.metrics.ngram.tokenized import load_blanks_registry, make_batch

Rows = Sequence[tuple[str, Sequence[str]]]


def run_meteor(rows: Rows | Batch, *, tokenizer: str = "blanks", **params: float) -> MetricRun:
    """Run the metric on rows of (candidate, references)."""
    batch = rows if isinstance(rows, Batch) else make_batch(rows)
    metric = load_blanks_registry().build("meteor", tokenizer=tokenizer, **params)
    return run_metric(metric, batch, rng=np.random.default_rng(0))


def score(rows: Rows | Batch, **params: float) -> list[float]:
    """Return the score of each row."""
    return run_meteor(rows, **params).scores.values.tolist()
