"""Tests that a metric is fitted when it first scores, on the data named in its signature."""

import numpy as np
import pytest

from metrics_plugins.api import Batch, FitsOn
from metrics_plugins.api.batches.judged import JudgedRows
from metrics_plugins.readers import Corpus
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from tests.metrics_plugins.api.examples import Critic, Rarity, Words

ROWS = Batch.make(["x", "y"], candidates=["a dog", "a cat"], references=[["a dog"], ["the cat", "cats"]])


def test_metric_that_learns_nothing_is_ready_as_it_is():
    built = Words()
    prepared = PreparedMetric(built, Learning(lambda: pytest.fail("nobody learns")))

    assert (prepared.ready, prepared.learns_from, prepared.is_fitted) == (built, FitsOn.NOTHING, False)


def test_documents_are_made_once_for_all_metrics_and_only_when_one_scores():
    made = []
    learning = Learning(lambda: made.append(ROWS) or ROWS)
    first, second = PreparedMetric(Rarity(), learning), PreparedMetric(Rarity(), learning)
    assert (first.signature, made) == ("rarity|v:1", [])

    scores = [each.ready.score(ROWS).values.tolist() for each in (first, second)]

    assert scores == [[0.5, 0.5]] * 2
    assert made == [ROWS]
    assert first.ready is first.ready


def test_corpus_is_learned_from_and_named():
    corpus = Corpus(digest="abc", captions={"1": ("a dog",)})
    built = load_registry().build("novelty")
    rows = Batch.make(["x"], caption_sets=[["a dog", "a cat"]])
    prepared = PreparedMetric(built, Learning(lambda: pytest.fail("it has a corpus"), corpus=corpus))

    assert prepared.signature == "novelty|tok:ptb|corpus:abc|v:1"
    assert prepared.ready.score(rows).values.tolist() == [0.5]


def test_judgments_of_other_images_are_learned_from_and_named():
    judged = JudgedRows(Batch.make(["j", "k"], candidates=["a", "b"], image_keys=["1", "2"]), np.array([1.0, 2.0]))
    learning = Learning(lambda: ROWS, judged=judged, scored_images=frozenset(ROWS.image_keys))
    prepared = PreparedMetric(Critic(), learning)

    assert judged.digest in prepared.signature
    assert prepared.ready.score(ROWS).values.tolist() == [1.5, 1.5]
