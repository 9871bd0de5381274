"""Tests of ROUGE-1 and ROUGE-2 against sums computed by hand."""

import math

import pytest

from tests.metrics_plugins.metrics.ngram.tokenized import make_golden_batch, run, score


@pytest.mark.parametrize(
    ("metric_id", "candidate", "references", "expected"),
    [
        # Words shared: with "the cat sat" the, cat; with "the the mat" the, the. (2 + 2) / (3 + 3).
        ("rouge-1", "the cat the", ["the cat sat", "the the mat"], 4 / 6),
        # Bigrams: "the cat" of "the cat", "cat sat"; nothing of "the the", "the mat". (1 + 0) / (2 + 2).
        ("rouge-2", "the cat the", ["the cat sat", "the the mat"], 1 / 4),
        # A repeated word counts as often as it stands in both: min(3, 2) = 2 of 3.
        ("rouge-1", "a a a", ["a a b"], 2 / 3),
        # A reference of one word has no bigram and adds nothing to the sum.
        ("rouge-2", "a b", ["a", "a b c"], 1 / 2),
        ("rouge-2", "a b", ["a"], 0.0),
        ("rouge-1", "", ["a b"], 0.0),
        ("rouge-1", "a", [""], 0.0),
        ("rouge-2", "a b c", ["a b c"], 1.0),
    ],
)
def test_hand_computed(metric_id: str, candidate: str, references: list[str], expected: float) -> None:
    assert score(metric_id, [(candidate, references)]) == pytest.approx([expected], abs=1e-15)


def test_row_without_references_has_no_score() -> None:
    values = score("rouge-1", [("a dog", []), ("a dog", ["a dog"])])

    assert values == pytest.approx([math.nan, 1.0], nan_ok=True)


def test_signature() -> None:
    assert str(run("rouge-2", make_golden_batch()).signature) == "rouge-2|tok:blanks|v:1"
