"""Tests that means of parts have the very rounding of NumPy's mean of all values."""

import numpy as np
import pytest

from metrics_plugins.large_tables import totals
from metrics_plugins.large_tables.totals import average


@pytest.mark.parametrize("count", [1, 7, 8, 129, 1000, 4096, 4097, 100_003])
@pytest.mark.parametrize("size", [1000, 777])
def test_average_is_that_of_numpy_to_the_last_digit(count: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(totals, "_AT_ONCE", 1024)
    rng = np.random.default_rng(count)
    values = rng.random(count) ** 5
    values[rng.random(count) < 0.05] = np.nan

    found = average(lambda: (values[start : start + size] for start in range(0, count, size)))

    assert found == values[~np.isnan(values)].mean()


def test_average_of_nothing_is_undefined() -> None:
    assert np.isnan(average(lambda: iter([])))
    assert np.isnan(average(lambda: iter([np.array([np.nan])])))
