"""Tests of counts of words by hand."""

import math

import pytest

from tests.metrics_plugins.metrics.diversity.sets import score

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
