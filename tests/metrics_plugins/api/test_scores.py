"""Tests that scores have keys and count missing values."""

import numpy as np
import pytest

from metrics_plugins.api import Scores
from metrics_plugins.api.errors import BadScores


def test_scores_are_float64_with_keys() -> None:
    scores = Scores.make(["x", "y"], [1, 2])

    assert scores.keys == ("x", "y")
    assert scores.values.dtype == np.float64
    assert len(scores) == 2


@pytest.mark.parametrize(
    ("values", "n_missing", "mean"),
    [([1.0, 2.0], 0, 1.5), ([1.0, np.nan], 1, 1.0), ([np.nan, np.nan], 2, np.nan), ([], 0, np.nan)],
)
def test_missing_scores_are_counted_and_left_out_of_the_mean(values: list, n_missing: int, mean: float) -> None:
    scores = Scores.make([str(number) for number in range(len(values))], values)

    assert scores.n_missing == n_missing
    np.testing.assert_equal(scores.mean, mean)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.zeros(3), r"scores must have shape \(2,\) for as many keys, got \(3,\)"),
        (np.zeros((2, 1)), r"got \(2, 1\)"),
        ([0.0, 1.0], "values must be an array, got list: use Scores.make"),
    ],
)
def test_malformed_values_are_refused(values: object, message: str) -> None:
    with pytest.raises(BadScores, match=message):
        Scores(keys=("x", "y"), values=values)


@pytest.mark.parametrize(
    ("values", "row", "got"),
    [
        ([[0.5], [0.25]], 0, r"list \[0\.5\]"),
        ([0.5, [0.25]], 1, r"list \[0\.25\]"),
        ([0.5, (0.25, 1.0)], 1, r"tuple \(0\.25, 1\.0\)"),
        ([np.array([0.5]), np.array([0.25])], 0, r"ndarray array\(\[0\.5\]\)"),
    ],
)
def test_a_score_that_is_a_list_is_refused_with_its_key_and_row(values: object, row: int, got: str) -> None:
    with pytest.raises(BadScores, match=rf"the score for key '{'xy'[row]}' must be a number .*got {got}") as caught:
        Scores.make(["x", "y"], values)

    assert caught.value.row == row
