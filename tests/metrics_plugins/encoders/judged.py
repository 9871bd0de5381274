"""Judged captions as batches for metrics, and the results of protocols for their scores."""

import gzip
import json
from collections.abc import Mapping
from functools import cache

import numpy as np

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.named import get_protocol
from metrics_plugins.api import Batch
from metrics_plugins.runtime.running import run_metric
from tests.correlation import shared_data
from tests.metrics_plugins.bundled import load_bundled_registry


def make_flickr8k_expert() -> Batch:
    """The 5,822 rows with the five references of each image."""
    text = (shared_data.DATA / "flickr8k" / "ExpertAnnotations.txt").read_text(encoding="utf-8")
    pairs = [line.split("\t")[:2] for line in text.splitlines()]
    return _make_flickr8k(pairs, {image: [f"{image}#{number}" for number in range(5)] for image, _ in pairs})


def make_flickr8k_cf() -> Batch:
    """The 47,830 rows; a caption that is a candidate for an image is none of its references."""
    with gzip.open(shared_data.DATA / "flickr8k" / "CrowdFlowerAnnotations.txt.gz", "rt", encoding="utf-8") as file:
        pairs = [line.split("\t")[:2] for line in file]
    candidates = {tuple(pair) for pair in pairs}
    images = {image for image, _ in pairs}
    kept = {
        image: [key for number in range(5) if (image, key := f"{image}#{number}") not in candidates] for image in images
    }
    return _make_flickr8k(pairs, kept)


def make_pascal_50s() -> Batch:
    """Both captions of the 4,000 pairs with the five shipped references; keys are those of the pairs and 0 or 1."""
    with gzip.open(shared_data.DATA / "pascal50s" / "pascal_50s.json.gz", "rt", encoding="utf-8") as file:
        groups = json.load(file)
    rows = {
        f"{name}-{number}|{which}": (pair["captions"][which], pair["references"])
        for name, pairs in groups.items()
        for number, pair in enumerate(pairs)
        for which in (0, 1)
    }
    return Batch.make(rows, candidates=[row[0] for row in rows.values()], references=[row[1] for row in rows.values()])


def score(metric_id: str, batch: Batch, **params: object) -> np.ndarray:
    """Return the scores of a batch."""
    metric = load_bundled_registry().build(metric_id, **params)
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


def correlate_expert(scores: np.ndarray) -> float:
    """Return tau-c, times 100."""
    judged = shared_data.read_flickr8k_expert().with_scores(scores)
    return 100 * evaluate_protocol(get_protocol("flickr8k-expert@1"), judged)[0].value


def correlate_cf(scores: np.ndarray) -> float:
    """Return tau-b, times 100."""
    judged = shared_data.read_flickr8k_cf().with_scores(scores)
    return 100 * evaluate_protocol(get_protocol("flickr8k-cf@1"), judged)[0].value


def correlate_pascal(scores: np.ndarray, batch: Batch, *, ties: str = "wrong") -> dict[str, float]:
    """Return the accuracy of each category and their mean, times 100."""
    value_of = dict(zip(batch.keys, scores, strict=True))
    pairs = shared_data.read_pascal_50s()
    both = [[value_of[f"{key}|{which}"] for which in (0, 1)] for key in pairs.votes.items]
    rows = evaluate_protocol(get_protocol("pascal-50s", ties=ties), pairs.with_scores(both))
    return {row.category: 100 * row.value for row in rows}


@cache
def _read_captions() -> Mapping[str, str]:
    return shared_data.read_flickr8k_captions()


def _make_flickr8k(pairs: list[list[str]], references: Mapping[str, list[str]]) -> Batch:
    captions = _read_captions()
    return Batch.make(
        [f"{image}|{key}" for image, key in pairs],
        candidates=[captions[key] for _, key in pairs],
        references=[[captions[key] for key in references[image]] for image, _ in pairs],
    )
