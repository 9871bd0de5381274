"""Tests of the roles' base classes: defaults, sums, signatures."""

import numpy as np
import pytest

from metrics_plugins.api import Batch, Input, Level
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.registry import Context
from tests.metrics_plugins.api.examples import Recall, Words, make_info


@pytest.fixture
def batch() -> Batch:
    # Words of the first reference that the candidate has: 2 of 2, 1 of 4, none without references.
    return Batch.make(
        ["x", "y", "z"],
        candidates=["a cat", "a dog", "a cow"],
        references=[["a cat"], ["a black cat sits"], []],
    )


def test_plain_metric_builds_without_parameters_and_prints_its_version() -> None:
    metric = Words.build(Context(load_registry(), device="cpu"))

    assert str(metric.signature) == "words|v:1"
    assert metric.fitted_on == frozenset()


def test_parameters_print_in_the_signature() -> None:
    assert str(Recall(power=2.0).signature) == "recall|power:2|v:1"


def test_rows_are_reduced_one_by_one(batch: Batch) -> None:
    scores = Recall().score(batch)

    assert scores.keys == ("x", "y", "z")
    assert scores.values.tolist() == [1.0, 0.25, 0.0]


def test_corpus_score_comes_from_totals(batch: Batch) -> None:
    metric = Recall()

    assert metric.reduce_corpus(metric.statistics(batch)) == 3 / 6


def test_corpus_score_of_no_rows_is_missing() -> None:
    assert np.isnan(Recall().reduce_corpus(np.zeros((0, 2))))


def test_corpus_level_metric_of_sums_gives_one_score(batch: Batch) -> None:
    class CorpusRecall(Recall):
        info = make_info("corpus-recall", level=Level.CORPUS, inputs=frozenset({Input.CANDIDATE, Input.REFERENCES}))

    scores = CorpusRecall().score(batch)

    assert scores.keys == ("corpus",)
    assert scores.values.tolist() == [3 / 6]


def test_system_score_is_the_mean_of_the_defined_rows(batch: Batch) -> None:
    assert Words().summarize(Words().score(batch)) == 2.0
