import numpy as np
import pytest
import scipy.optimize

from correlation.agreement.bradley_terry import find_undefined, fit_davidson, make_basis

PAIRS = np.array([(0, 1), (0, 2), (1, 2)])


def minus_likelihood(parameters, counts):
    """Davidson's likelihood written out pair by pair, for three options."""
    strengths = [*parameters[:2], -sum(parameters[:2])]
    total = 0.0
    for (one, other), (won, lost, tied) in zip(PAIRS, counts, strict=True):
        a, b = np.exp(strengths[one]), np.exp(strengths[other])
        t = np.exp(parameters[2]) * np.sqrt(a * b)
        total -= won * np.log(a) + lost * np.log(b) + tied * np.log(t) - (won + lost + tied) * np.log(a + b + t)
    return total


def fit_three(counts):
    basis = make_basis(3)
    return fit_davidson(basis[PAIRS[:, 0]] - basis[PAIRS[:, 1]], np.asarray(counts, float))


# SciPy 1.17.1 minimises the same likelihood by another method, from weights that are not whole numbers.
def test_every_table_is_fitted_as_if_alone():
    counts = np.random.default_rng(1).gamma(2.0, 3.0, size=(20, 3, 3))

    found = fit_three(counts)

    for place, table in enumerate(counts):
        oracle = scipy.optimize.minimize(minus_likelihood, np.zeros(3), args=(table,), tol=1e-12)
        assert found.parameters[place] == pytest.approx(oracle.x[:2], abs=1e-4)
        assert found.log_tie[place] == pytest.approx(oracle.x[2], abs=1e-4)
        assert found.log_likelihood[place] == pytest.approx(-oracle.fun, abs=1e-8)
        alone = fit_three(counts[place : place + 1])
        assert found.parameters[place] == pytest.approx(alone.parameters[0], abs=1e-9)


def test_two_options_have_a_closed_form():
    # 30 wins, 10 losses and 20 ties: log odds log 3, t = 20 / sqrt(300).
    found = fit_davidson(np.array([[1.0]]), np.array([[[30.0, 10.0, 20.0]]]))

    assert found.parameters[0, 0] == pytest.approx(np.log(3))
    assert np.exp(found.log_tie[0]) == pytest.approx(20 / np.sqrt(300))


def test_a_table_without_ties_beside_one_with_ties():
    found = fit_davidson(np.array([[1.0]]), np.array([[[3.0, 1.0, 0.0]], [[3.0, 1.0, 4.0]]]))

    assert np.exp(found.log_tie).tolist() == [0.0, pytest.approx(4 / np.sqrt(3))]
    assert found.parameters[:, 0] == pytest.approx([np.log(3), np.log(3)])


@pytest.mark.parametrize(
    ("counts", "undefined"),
    [
        ([[3, 1, 0], [0, 0, 0], [1, 1, 0]], []),
        ([[0, 0, 1], [0, 0, 0], [0, 0, 1]], []),
        ([[3, 0, 0], [2, 0, 0], [1, 1, 0]], [(1, 0), (2, 0)]),
        ([[1, 1, 0], [0, 0, 0], [0, 0, 0]], [(0, 2), (1, 2), (2, 0), (2, 1)]),
    ],
    ids=["chain", "ties", "never-loses", "disconnected"],
)
def test_where_strengths_are_infinite(counts, undefined):
    found = find_undefined(np.asarray([counts], float), PAIRS[:, 0], PAIRS[:, 1], 3)[0]

    assert [tuple(pair) for pair in np.argwhere(found).tolist()] == undefined


def test_a_maximum_at_infinity_is_not_finite():
    assert fit_davidson(np.array([[1.0]]), np.array([[[5.0, 0.0, 0.0]], [[5.0, 1.0, 0.0]]])).is_finite.tolist() == [
        False,
        True,
    ]
