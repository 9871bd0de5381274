"""Tests of ROUGE-S against counts by hand, and against a simple program."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_plugins.api import MetricError
from tests.metrics_plugins.metrics.ngram.tokenized import load_blanks_registry, make_golden_batch, run, score

WORDS = st.lists(st.sampled_from("abc"), max_size=9).map(" ".join)


def measure(precision: float, recall: float) -> float:
    return 2.44 * precision * recall / (recall + 1.44 * precision)


@pytest.mark.parametrize(
    ("candidate", "references", "expected"),
    [
        # Lin (2004), section 5: "police killed the gunman" and "police kill the gunman" share 3 of 6 skip bigrams.
        ("police kill the gunman", ["police killed the gunman"], 0.5),
        ("the gunman kill police", ["police killed the gunman"], 1 / 6),
        ("the gunman police killed", ["police killed the gunman"], 2 / 6),
        # "a f" stand five words apart: 14 of the 15 pairs are near enough.
        ("a f", ["a b c d e f"], 0.0),
        ("a e", ["a b c d e f"], measure(1, 1 / 14)),
        # Precision 1 from the first, recall 1 from the second.
        ("a b", ["a b c", "a b"], 1.0),
        # Precision 1/3 ("a b", or "b c") from either, recall 1 from the second.
        ("a b c", ["a b x", "b c"], measure(1 / 3, 1)),
        ("a a", ["a a a"], measure(1, 1 / 3)),
        ("a", ["a"], 0.0),
        ("", [""], 0.0),
    ],
)
def test_hand_computed(candidate: str, references: list[str], expected: float) -> None:
    assert score("rouge-s", [(candidate, references)]) == pytest.approx([expected], abs=1e-15)


def test_words_may_be_nearer_only() -> None:
    # Bigrams alone: "a b" and "b c" of the reference, "a b" and "b x" of the candidate.
    assert score("rouge-s", [("a b x", ["a b c"])], distance=1) == pytest.approx([0.5], abs=1e-15)


def count_pairs(words: list[str]) -> Counter:
    return Counter((first, second) for place, first in enumerate(words) for second in words[place + 1 : place + 5])


def score_plainly(candidate: str, references: list[str]) -> float:
    own = count_pairs(candidate.split())
    counted = [count_pairs(reference.split()) for reference in references]
    shared = [sum((own & other).values()) for other in counted]
    precision = max(number / max(own.total(), 1) for number in shared)
    recall = max(number / max(other.total(), 1) for number, other in zip(shared, counted, strict=True))
    return measure(precision, recall) if precision else 0.0


@given(rows=st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=5))
@settings(deadline=None)
def test_random_captions_score_as_with_a_plain_program(rows: list[tuple[str, list[str]]]) -> None:
    assert score("rouge-s", rows) == pytest.approx([score_plainly(*row) for row in rows], abs=1e-12)


def test_row_without_references_has_no_score() -> None:
    values = score("rouge-s", [("a dog", []), ("a dog", ["a dog"])])

    assert values == pytest.approx([math.nan, 1.0], nan_ok=True)


def test_distance_must_be_positive() -> None:
    with pytest.raises(MetricError, match="`distance` of metric 'rouge-s' must be at least 1, got 0"):
        load_blanks_registry().build("rouge-s", distance=0)


def test_signature() -> None:
    assert str(run("rouge-s", make_golden_batch()).signature) == "rouge-s|distance:4|tok:blanks|beta:1.2|v:1"
