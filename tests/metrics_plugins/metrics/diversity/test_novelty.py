"""Tests of novelty relative to a corpus."""

import math

import numpy as np
import pytest

from metrics_plugins.runtime import fit_metric
from tests.metrics_plugins.metrics.diversity.sets import fit, load_bundled_registry, make_batch, run, score

CORPUS = make_batch([["a dog runs", "a cat"], ["two birds"]])


def test_share_of_captions_that_are_not_in_the_corpus() -> None:
    values = score(fit("novelty", CORPUS), [["a dog runs", "a dog"], ["two birds", "a cat"], ["x", "x", "a cat"], []])

    assert values == pytest.approx([0.5, 0.0, 2 / 3, math.nan], nan_ok=True)


def test_captions_are_compared_by_their_tokens() -> None:
    metric = fit_metric(load_bundled_registry().build("novelty"), CORPUS, rng=np.random.default_rng(0))

    assert score(metric, [["A dog runs."], ["A dogs runs."]]) == [0.0, 1.0]


def test_references_are_no_part_of_the_corpus() -> None:
    # Each row has the reference "a dog".
    assert score(fit("novelty", CORPUS), [["a dog"]]) == [1.0]


def test_signature() -> None:
    assert str(run(fit("novelty", CORPUS), CORPUS).signature) == "novelty|tok:white-space|corpus:captions|v:1"
