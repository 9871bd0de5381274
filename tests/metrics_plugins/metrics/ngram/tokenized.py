"""Captions that are already tokenised, and the registry that scores them without tokenising."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from metrics_plugins.api import Batch, hookimpl
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.runtime import MetricRun, Registry, load_registry, run_metric

GOLDEN = json.loads((Path(__file__).resolve().parents[4] / "fixtures/golden/ngram_metrics.json").read_text())
METRICS = (
    *("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-1", "rouge-2", "rouge-l", "rouge-s"),
    *("cider", "cider-d", "length"),
)


@dataclass(frozen=True)
class Blanks:
    """Leaves captions as they are: their tokens are joined by single blanks."""

    name: str = "blanks"
    version: str = "1"

    def tokenize(self, captions: Sequence[str]) -> list[str]:
        return list(captions)


class BlanksPlugin:
    @hookimpl
    def provide_tokenizer(self, name: str) -> Tokenizer | None:
        return Blanks() if name == "blanks" else None


@cache
def load_blanks_registry() -> Registry:
    return load_registry([BlanksPlugin()])


def make_batch(rows: Sequence[tuple[str, Sequence[str]]]) -> Batch:
    """Return a batch of (candidate, references), with the row numbers as keys."""
    return Batch.make(
        [str(row) for row in range(len(rows))],
        candidates=[candidate for candidate, _ in rows],
        references=[references for _, references in rows],
    )


def make_golden_batch() -> Batch:
    return Batch.make(
        [image["image_id"] for image in GOLDEN["images"]],
        candidates=[image["candidate"] for image in GOLDEN["images"]],
        references=[image["references"] for image in GOLDEN["images"]],
    )


def run(metric_id: str, batch: Batch, *, fit_batch: Batch | None = None, **params: Any) -> MetricRun:
    """Run a metric on tokenised captions."""
    metric = load_blanks_registry().build(metric_id, tokenizer="blanks", **params)
    return run_metric(metric, batch, fit_batch=fit_batch, rng=np.random.default_rng(0))


def score(metric_id: str, rows: Sequence[tuple[str, Sequence[str]]], **params: Any) -> list[float]:
    """Return the score of each (candidate, references)."""
    return run(metric_id, make_batch(rows), **params).scores.values.tolist()
