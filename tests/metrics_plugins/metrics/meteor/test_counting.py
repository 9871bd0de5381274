"""Tests of the formula on statistics computed by hand."""

import numpy as np
import pytest

from metrics_plugins.metrics.meteor.counting import (
    CHUNKS,
    N_STATISTICS,
    MeteorWeights,
    clear_perfect_chunks,
    score_statistics,
)

RANK = MeteorWeights(0.85, 0.2, 0.6, 0.75, stages=(1.0, 0.6, 0.8, 0.6))


def make_counts(words: tuple[int, int], exact: tuple[int, int], chunks: int) -> np.ndarray:
    """Return the statistics of a pair of content words that match exactly."""
    counts = np.zeros(N_STATISTICS)
    counts[:2] = words
    counts[4:6] = counts[-2:] = exact
    counts[CHUNKS] = chunks
    return counts


def test_formula() -> None:
    # Two of four candidate words match two of three reference words, in two chunks.
    mean = 1 / (0.15 / (2 / 4) + 0.85 / (2 / 3))

    score = score_statistics(make_counts((4, 3), (2, 2), 2), RANK)

    assert score == pytest.approx(mean * (1 - 0.6), abs=1e-15)


def test_function_words_count_less_and_stages_by_weight() -> None:
    counts = np.zeros(N_STATISTICS)
    # Candidate and reference: one content word, matched by stem, and one function word, matched exactly; one chunk.
    counts[:4] = 2, 2, 1, 1
    counts[6:8] = 1
    counts[8:10] = 1
    counts[-3:] = 0, 2, 2

    assert score_statistics(counts, RANK) == pytest.approx((0.75 * 0.6 + 0.25) / (0.75 + 0.25), abs=1e-15)


def test_nothing_matched_scores_0_and_nothing_known_has_no_score() -> None:
    rows = np.stack([make_counts((3, 2), (0, 0), 0), np.zeros(N_STATISTICS), np.full(N_STATISTICS, np.nan)])

    assert score_statistics(rows, RANK).tolist() == pytest.approx([0.0, 0.0, np.nan], nan_ok=True)


def test_any_shape_of_totals() -> None:
    counts = make_counts((4, 3), (2, 2), 2)

    scores = score_statistics(np.broadcast_to(counts, (2, 3, N_STATISTICS)), RANK)

    assert scores.shape == (2, 3)
    assert set(scores.ravel().tolist()) == {float(score_statistics(counts, RANK))}


def test_only_a_perfect_pair_in_one_chunk_loses_it() -> None:
    rows = np.stack(
        [
            make_counts((2, 2), (2, 2), 1),
            make_counts((2, 2), (2, 2), 2),
            make_counts((3, 2), (2, 2), 1),
        ]
    )

    assert clear_perfect_chunks(rows)[:, CHUNKS].tolist() == [0, 2, 1]
    assert rows[0, CHUNKS] == 1
