"""Tests of the scores of references against each other."""

import numpy as np

from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.metrics.critics.reference.ceilings import cap_values, find_nearest_others

NAN = np.nan


def test_nearest_other_reference_by_hand() -> None:
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 2.0], [-1.0, 0.0], [0.0, 0.0]], np.float32)
    references = Ragged.from_rows([[0, 1, 2], [0, 1, 2, 3], [], [0, 0, 3, 3, 2], [0, 4, 4, 4]])

    found = find_nearest_others(vectors, references)

    few, four, five, undefined = [NAN] * 3, [0.6, 0.8, 0.8, 0.0], [1.0, 1.0, 1.0, 1.0, 0.0], [NAN] * 4
    np.testing.assert_allclose(found, [*few, *four, *five, *undefined], atol=1e-7)


def test_only_what_is_above_a_ceiling_is_capped() -> None:
    found = cap_values(np.array([0.5, 0.5, 0.5, NAN]), np.array([0.4, 0.6, NAN, 0.1]))

    np.testing.assert_array_equal(found, [0.4, 0.5, 0.5, NAN])
