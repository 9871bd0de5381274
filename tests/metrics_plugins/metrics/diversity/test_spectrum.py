"""Tests of the spread of a spectrum."""

import math

import numpy as np
import pytest

from metrics_plugins.metrics.diversity.spectrum import measure_spread


@pytest.mark.parametrize(
    ("strengths", "m", "expected"),
    [
        ([1.0, 1.0, 1.0, 1.0], 4, 1.0),
        ([3.0, 0.0, 0.0], 3, 0.0),
        ([1.0, 3.0], 2, -math.log2(3 / 4)),
        ([2.0, 2.0], 4, 0.5),  # two directions only, as of four captions of two words
        ([0.0, 0.0], 2, math.nan),
        ([1.0], 1, math.nan),
        ([], 0, math.nan),
    ],
)
def test_spread(strengths: list[float], m: int, expected: float) -> None:
    values = measure_spread(np.array([strengths]).reshape(1, -1), m=m)

    assert values.tolist() == pytest.approx([expected], nan_ok=True, abs=1e-15)
