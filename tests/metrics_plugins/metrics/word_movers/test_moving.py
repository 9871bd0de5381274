"""Tests of the solver against a general one, and of obvious plans."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.metrics.word_movers.moving import (
    measure_cosine,
    measure_euclidean,
    require_solver,
    solve_transport,
)


def solve_generally(shares: np.ndarray, others: np.ndarray, costs: np.ndarray) -> float:
    """Return the optimum of the linear program itself: rows sum to shares, columns to others."""
    n, m = costs.shape
    sums = np.vstack([np.kron(np.eye(n), np.ones(m)), np.kron(np.ones(n), np.eye(m))])
    return linprog(costs.ravel(), A_eq=sums, b_eq=np.concatenate([shares, others]), method="highs").fun


@given(n=st.integers(1, 7), m=st.integers(1, 7), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_least_cost_is_that_of_the_linear_program(n: int, m: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    shares, others = generator.dirichlet(np.ones(n)), generator.dirichlet(np.ones(m))
    costs = generator.uniform(0, 3, (n, m))

    assert solve_transport(shares, others, costs=costs) == pytest.approx(
        solve_generally(shares, others, costs), abs=1e-9
    )


def test_plans_that_are_seen_at_once() -> None:
    halves, costs = np.array([0.5, 0.5]), np.array([[0.0, 1.0], [2.0, 0.0]])

    assert solve_transport(halves, halves, costs=costs) == 0
    # A quarter must move from the first place to the second.
    assert solve_transport(np.array([0.75, 0.25]), halves, costs=costs) == pytest.approx(0.25, abs=1e-15)
    assert solve_transport(np.ones(1), halves, costs=np.array([[3.0, 5.0]])) == pytest.approx(4.0, abs=1e-15)


def test_distances() -> None:
    left, right = np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([[4.0, 4.0], [-2.0, 0.0]])

    assert measure_euclidean(left, right).tolist() == pytest.approx(np.array([[5, 3], [32**0.5, 2]]))
    assert measure_cosine(left, right).tolist() == pytest.approx(np.array([[1 - 0.5**0.5, 2], [1, 1]]))


def test_a_missing_package_is_named_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(
        MissingResource, match=r"metric 'wmd' needs ot, which is not installed: .* -m pip install .*\[transport\]'$"
    ):
        require_solver("wmd")
