"""Tests that every weighted coefficient equals the unweighted one with rows repeated by their weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from correlation.coefficients.bivariate import ALL_COEFFICIENTS, COEFFICIENTS
from correlation.coefficients.weighted import WEIGHTED, prepare_weighted
from correlation.errors import UnknownNameError

ROW = st.tuples(
    st.one_of(st.integers(-2, 2), st.integers(-500, 500)),
    st.one_of(st.integers(1, 4), st.integers(-500, 500)),
    st.integers(0, 3),
    st.integers(0, 3),
)


def repeat(x, y, weights):
    copies = weights.astype(int)
    return np.repeat(x, copies), np.repeat(y, copies)


@pytest.mark.parametrize("name", COEFFICIENTS)
@given(rows=st.lists(ROW, min_size=1, max_size=50))
def test_equals_the_coefficient_of_the_repeated_rows(name, rows):
    x, y, *weights = np.array(rows, dtype=float).T

    values = prepare_weighted(name, x, y)(np.array(weights))

    expected = [COEFFICIENTS[name](*repeat(x, y, row)) for row in weights]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)


# Few levels take the cross table, many levels the inversions; both are exact integers, so tau is equal to the bit.
@pytest.mark.parametrize("levels", [4, 100_000])
@pytest.mark.parametrize("name", [name for name in COEFFICIENTS if name.startswith("kendall")])
def test_both_algorithms_for_kendall_are_exact_on_many_rows(name, levels):
    rng = np.random.default_rng(5)
    x, y = rng.integers(100_000, size=3000) / 7, rng.integers(levels, size=3000) / 3
    weights = rng.poisson(1.0, size=(5, 3000)).astype(float)

    values = prepare_weighted(name, x, y)(weights)

    np.testing.assert_allclose(values, [COEFFICIENTS[name](*repeat(x, y, row)) for row in weights], rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_undefined_resamples_are_nan(name):
    evaluate = prepare_weighted(name, np.array([0.1, 0.1, 0.3]), np.array([1.0, 2, 3]))

    values = evaluate(np.array([[1.0, 1, 0], [0, 0, 4], [0, 0, 0], [1, 0, 1]]))

    assert np.isnan(values).tolist() == [True, True, True, False]


# Two rows far from the mean of all but close to each other: their variance is 1e-12 of their squares.
@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_rows_far_from_the_mean_keep_their_digits(name):
    x, y = np.array([0.0, 1e6, 1e6 + 1, 1e6 + 3]), np.array([5.0, 1, 2, 3])
    weights = np.array([[0.0, 1, 2, 1]])

    expected = COEFFICIENTS[name](*repeat(x, y, weights[0]))

    assert prepare_weighted(name, x, y)(weights)[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("levels", [4, 100_000])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_the_size_of_a_chunk_changes_no_bit(name, levels):
    rng = np.random.default_rng(6)
    x, y = rng.normal(size=5000), rng.integers(levels, size=5000) / 3
    weights = rng.poisson(1.0, size=(9, 5000)).astype(float)
    evaluate = prepare_weighted(name, x, y)

    whole = evaluate(weights)

    assert np.array_equal(np.concatenate([evaluate(weights[:2]), evaluate(weights[2:3]), evaluate(weights[3:])]), whole)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_pearson_neither_overflows_nor_underflows(scale):
    x = np.array([1.0, 2, 4]) * scale

    assert prepare_weighted("pearson", x, x)(np.ones((1, 3))).tolist() == pytest.approx([1.0])


def test_unknown_name_lists_the_known_ones():
    assert WEIGHTED.keys() == ALL_COEFFICIENTS.keys()
    with pytest.raises(UnknownNameError, match="unknown coefficient 'tau'"):
        prepare_weighted("tau", np.ones(2), np.ones(2))
