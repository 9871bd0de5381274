"""Tests of DPP selection against the algorithm with determinants, against all subsets, and where L is singular."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from captioning.api.captions import Floats
from captioning.selection.dpp import (
    count_references,
    measure_similarity,
    select_captions,
    select_diverse,
)
from metrics_plugins.api import Batch
from metrics_plugins.metrics.ngram.cider import FittedCider
from metrics_plugins.runtime import load_registry

REFERENCES = (
    ("a dog runs on the grass", "a brown dog runs in a field", "the dog is on green grass"),
    ("a man rides a wave", "a man on a surfboard in the water", "a surfer rides the wave"),
    ("a red bus on the street", "a bus drives down a city street", "the red bus is on a road"),
    ("a cat sleeps on a bed", "the cat is on the bed", "a brown cat lies on a blue bed"),
)


def _draw_kernel(rng: np.random.Generator, n: int, *, rank: int | None = None) -> Floats:
    vectors = rng.random((n, rank or n + 2))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors @ vectors.T


def _select_by_determinants(kernel: Floats, quality: Floats, *, n: int) -> list[int]:
    """Algorithm 1 with a determinant for each candidate."""
    selected = [int(np.argmax(quality))]
    while len(selected) < n:
        rest = [place for place in range(len(quality)) if place not in selected]
        gains = [measure_log_determinant(kernel, quality, [*selected, place]) for place in rest]
        selected.append(rest[int(np.argmax(gains))])
    return selected


def measure_log_determinant(kernel: Floats, quality: Floats, selected: Sequence[int]) -> float:
    """Return log det(L) of some captions, by their positions; -inf if L is singular."""
    rows = np.asarray(selected, dtype=np.int64)
    likelihood = np.outer(quality[rows], quality[rows]) * kernel[np.ix_(rows, rows)]
    sign, logarithm = np.linalg.slogdet(likelihood)
    return float(logarithm) if sign > 0 else float("-inf")


@pytest.mark.parametrize("seed", range(20))
def test_selection_is_that_of_the_algorithm_with_determinants(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kernel, quality = _draw_kernel(rng, 9), rng.random(9) + 0.05

    for n in (1, 2, 5, 9):
        assert select_diverse(kernel, quality, n=n).tolist() == _select_by_determinants(kernel, quality, n=n)


@pytest.mark.parametrize("seed", range(5))
def test_the_second_caption_is_the_best_of_all_pairs_with_the_first(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    kernel, quality = _draw_kernel(rng, 8), rng.random(8) + 0.05

    first, second = select_diverse(kernel, quality, n=2).tolist()

    pairs = [pair for pair in combinations(range(8), 2) if first in pair]
    best = max(pairs, key=lambda pair: measure_log_determinant(kernel, quality, pair))
    assert set(best) == {first, second}


def test_greedy_selection_reaches_most_of_the_largest_determinant() -> None:
    rng = np.random.default_rng(7)
    shares = []
    for _ in range(20):
        kernel, quality = _draw_kernel(rng, 8), rng.random(8) + 0.05
        greedy = measure_log_determinant(kernel, quality, select_diverse(kernel, quality, n=3))
        best = max(measure_log_determinant(kernel, quality, subset) for subset in combinations(range(8), 3))
        assert greedy <= best + 1e-12
        shares.append(np.exp(greedy - best))

    assert np.mean(shares) > 0.8


def test_equal_qualities_give_the_first_caption() -> None:
    kernel = np.eye(4)

    assert select_diverse(kernel, np.ones(4), n=4).tolist() == [0, 1, 2, 3]
    assert select_diverse(kernel, np.array([1.0, 2.0, 2.0, 1.0]), n=4).tolist() == [1, 2, 0, 3]


def test_copies_come_last_and_by_quality() -> None:
    """Captions 0, 2 and 4 are the same, as are 1 and 3: two of the five span the rest."""
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [1.0, 0.0], [0.6, 0.8], [1.0, 0.0]])
    quality = np.array([0.9, 0.2, 0.5, 0.2, 0.7])

    selected = select_diverse(vectors @ vectors.T, quality, n=5)

    assert selected.tolist() == [0, 1, 4, 2, 3]


@pytest.mark.parametrize("seed", range(5))
def test_kernels_of_low_rank_give_distinct_captions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kernel, quality = _draw_kernel(rng, 30, rank=4), rng.random(30)

    selected = select_diverse(kernel, quality, n=20).tolist()

    assert len(set(selected)) == 20
    assert selected[:4] == _select_by_determinants(kernel, quality, n=4)
    # Beyond the rank, only quality counts.
    assert (np.diff(quality[selected[4:]]) <= 0).all()


def test_captions_of_quality_zero_come_last_and_the_most_different_first() -> None:
    kernel = np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]])

    assert select_diverse(kernel, np.zeros(3), n=3).tolist() == [0, 2, 1]
    assert select_diverse(kernel, np.array([0.0, 1.0, 0.0]), n=3).tolist() == [1, 2, 0]


def test_a_caption_that_is_like_nothing_can_be_selected() -> None:
    """An empty caption has similarity 0 even to itself."""
    kernel = np.array([[0.0, 0.0], [0.0, 1.0]])

    assert select_diverse(kernel, np.array([1.0, 0.5]), n=2).tolist() == [0, 1]
    assert select_diverse(kernel, np.array([0.5, 1.0]), n=2).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("kernel", "quality", "n", "message"),
    [
        (np.eye(3), np.ones(2), 1, r"must be \(2, 2\), got \(3, 3\)"),
        (np.eye(2), np.ones(2), 3, "from 1 to the number of captions, 2, got 3"),
        (np.eye(2), np.array([1.0, np.nan]), 1, "finite"),
        (np.eye(2), np.array([1.0, -0.5]), 1, "0 or positive, got -0.5"),
        (np.array([[1.0, 0.5], [0.0, 1.0]]), np.ones(2), 1, "symmetric"),
    ],
)
def test_impossible_arguments_are_refused(kernel: Floats, quality: Floats, n: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        select_diverse(kernel, quality, n=n)


def test_similarity_is_plain_cider_of_each_pair() -> None:
    documents = count_references(REFERENCES)
    captions = [("a dog on the grass", "the red bus", "a dog on the grass"), ("a man on a wave", "a cat", "a bed")]

    similarity = measure_similarity(captions, documents=documents)

    cider = FittedCider(tokenizer=load_registry().get_tokenizer("ptb"), df=documents, n=4)
    pairs = [(row, i, j) for row in range(2) for i in range(3) for j in range(3)]
    batch = Batch.make(
        map(str, pairs),
        candidates=[captions[row][i] for row, i, _ in pairs],
        references=[[captions[row][j]] for row, _, j in pairs],
    )
    np.testing.assert_allclose(similarity.ravel() * 10, cider.score(batch).values, atol=1e-12)
    assert (similarity == similarity.swapaxes(1, 2)).all()


def test_captions_are_selected_for_each_image() -> None:
    documents = count_references(REFERENCES)
    captions = [
        ("a dog runs on the grass", "a dog runs on the grass", "the dog is on grass", "a brown dog"),
        ("a cat", "a cat sleeps on a bed", "the cat is on the bed", "a cat"),
    ]
    quality = np.array([[0.9, 0.9, 0.5, 0.4], [0.1, 0.5, 0.9, 0.1]])

    selected = select_captions(captions, quality, documents=documents, n=2)

    kernels = measure_similarity(captions, documents=documents)
    expected = [_select_by_determinants(kernel, own, n=2) for kernel, own in zip(kernels, quality, strict=True)]
    assert selected.tolist() == expected
    assert selected[0, 0] == 0
    assert selected[0, 1] > 1
