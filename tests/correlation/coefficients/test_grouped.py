import numpy as np
import pytest

from correlation.coefficients import grouped as group_coefficients
from correlation.coefficients.bivariate import COEFFICIENTS
from correlation.coefficients.grouped import correlate_groups
from correlation.errors import UnknownNameError

RNG = np.random.default_rng(20)


def draw_rows(*, levels, n_groups=60):
    """Groups of 1 to 9 rows in any order; few levels give ties and constant groups."""
    group = RNG.permutation(np.repeat(np.arange(n_groups), RNG.integers(1, 10, size=n_groups)))
    return RNG.integers(levels, size=len(group)) / 7, RNG.integers(levels, size=len(group)) * 1.5, group


def compute_one_by_one(coefficient, x, y, group):
    return np.array([COEFFICIENTS[coefficient](x[group == each], y[group == each]) for each in np.unique(group)])


@pytest.mark.parametrize("levels", [2, 4, 1000])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_values_are_those_of_each_group_by_itself(coefficient, levels):
    x, y, group = draw_rows(levels=levels)

    values = correlate_groups(coefficient, x, y, group)

    expected = compute_one_by_one(coefficient, x, y, group)
    assert np.isnan(expected).any()
    if coefficient.startswith("kendall"):
        np.testing.assert_array_equal(values, expected)
    else:
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_too_many_pairs_are_counted_group_by_group(coefficient, monkeypatch):
    x, y, group = draw_rows(levels=4)
    at_once = correlate_groups(coefficient, x, y, group)

    monkeypatch.setattr(group_coefficients, "MOST_PAIRS", 10)

    np.testing.assert_allclose(correlate_groups(coefficient, x, y, group), at_once, rtol=0, atol=1e-14)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_small_and_large_values_are_correlated(scale):
    x, y, group = np.array([1.0, 2.0, 4.0]) * scale, np.array([1.0, 3.0, 2.0]), np.zeros(3, dtype=np.int64)

    np.testing.assert_allclose(
        correlate_groups("pearson", x, y, group), compute_one_by_one("pearson", x, y, group), rtol=0, atol=1e-14
    )


def test_no_rows_are_no_groups():
    assert correlate_groups("pearson", np.empty(0), np.empty(0), np.empty(0, dtype=np.int64)).tolist() == []


def test_unknown_coefficient_is_refused():
    with pytest.raises(UnknownNameError, match="unknown coefficient 'nonsense'; known are: pearson"):
        correlate_groups("nonsense", np.ones(2), np.ones(2), np.zeros(2, dtype=np.int64))
