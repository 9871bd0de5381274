"""Tests of cosines by hand, and of references in any order."""

import numpy as np

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.metrics.embedding.cosines import average_references, find_best_reference, measure_cosines


def test_cosines_by_hand() -> None:
    vectors = np.array([[1, 0], [0, 2], [3, 3], [0, 0], [np.nan, 1]], dtype=np.float32)
    left, right = np.array([0, 0, 2, 2, 0, 0]), np.array([1, 2, 2, 2, 3, 4])

    cosines = measure_cosines(vectors, left, vectors, right)

    np.testing.assert_allclose(cosines, [0, np.sqrt(0.5), 1, 1, np.nan, np.nan])


def test_a_row_alone_has_the_same_bits() -> None:
    vectors = np.random.default_rng(0).normal(size=(60, 384)).astype(np.float32)
    rows = np.arange(60)
    together = measure_cosines(vectors, rows, vectors, rows[::-1])

    alone = [measure_cosines(vectors, rows[[row]], vectors, rows[::-1][[row]])[0] for row in rows]

    np.testing.assert_array_equal(together, alone)


def test_order_of_references_changes_no_bit() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=500)
    references = Ragged.from_rows([[0] * 5] * 100)
    shuffled = np.concatenate([rng.permutation(row) for row in values.reshape(100, 5)])

    np.testing.assert_array_equal(average_references(values, references), average_references(shuffled, references))
    np.testing.assert_allclose(average_references(values, references), values.reshape(100, 5).mean(axis=1), rtol=1e-12)


def test_rows_without_references() -> None:
    references = Ragged.from_rows([[], [0, 0], [], [0]])
    values = np.array([0.25, 0.75, -1.0])

    np.testing.assert_array_equal(average_references(values, references), [np.nan, 0.5, np.nan, -1.0])
    np.testing.assert_array_equal(find_best_reference(values, references), [np.nan, 0.75, np.nan, -1.0])
