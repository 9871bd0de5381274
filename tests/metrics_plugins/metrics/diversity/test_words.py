"""Tests of counts of words by hand."""

import math

import numpy as np
import pytest

from metrics_plugins.runtime import fit_metric
from tests.metrics_plugins.metrics.diversity.sets import load_bundled_registry, make_batch, run, score

CAPTION_SETS = [["a dog runs", "a dog"], ["dog dog dog"], ["", ""], []]


@pytest.mark.parametrize(
    ("metric_id", "expected"),
    [
        ("div-1", [3 / (5 + 1e-6), 1 / (3 + 1e-6), 0.0, math.nan]),
        ("div-2", [2 / (5 + 1e-6), 1 / (3 + 1e-6), 0.0, math.nan]),
        ("vocabulary-size", [3]),
        ("ttr", [3 / 8]),
    ],
)
def test_counts(metric_id: str, expected: list[float]) -> None:
    assert score(metric_id, CAPTION_SETS) == pytest.approx(expected, nan_ok=True, abs=1e-15)


def test_references_do_not_count() -> None:
    # Each row has the reference "a dog".
    assert score("vocabulary-size", [["zebra"]]) == [1]


def test_no_words_at_all() -> None:
    assert score("vocabulary-size", [[""], []]) == [0]
    assert math.isnan(score("ttr", [[""], []])[0])


def test_ratios_of_segments_by_hand() -> None:
    # Eight words: "a dog runs a", "dog dog dog dog"; the last segment of three is not whole.
    assert score("ttr-1", CAPTION_SETS, window=4) == [(3 / 4 + 1 / 4) / 2]
    assert score("ttr-1", CAPTION_SETS, window=3) == [(3 / 3 + 2 / 3) / 2]
    # Seven bigrams, also across captions: a-dog, dog-runs, runs-a, a-dog, dog-dog, dog-dog, dog-dog.
    assert score("ttr-2", CAPTION_SETS, window=3) == [(3 / 3 + 2 / 3) / 2]
    # Fewer words than one segment has.
    assert score("ttr-1", CAPTION_SETS) == [3 / 8]
    assert score("ttr-2", CAPTION_SETS) == [4 / 7]
    assert math.isnan(score("ttr-2", [["dog"]])[0])


def test_tokenisers_of_the_study() -> None:
    batch = make_batch([["A dog's Toy, isn't it?"], ["a dog."]])
    registry = load_bundled_registry()

    assert run(registry.build("vocabulary-size", tokenizer="spacy-words"), batch).scores.values.tolist() == [10]
    novelty = fit_metric(
        registry.build("novelty", tokenizer="whole-caption"),
        make_batch([["A DOG"], ["a cat"]]),
        rng=np.random.default_rng(0),
    )
    assert run(novelty, batch).scores.values.tolist() == [1, 0]
