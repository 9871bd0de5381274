"""The earth mover's distance between two distributions, computed by POT."""

from typing import Final

import numpy as np

from metrics_plugins.api.resources import Resource
from metrics_plugins.api.scores import Values
from metrics_plugins.encoders.weights import find_package

SOLVER: Final = Resource("POT", modules=("ot",), extras=("transport",))


def require_solver(metric_id: str) -> None:
    """Raise `MissingResource` if POT is not installed."""
    find_package(SOLVER.modules[0], wanted_for=f"metric {metric_id!r}", extras=SOLVER.extras)


def measure_euclidean(left: Values, right: Values) -> Values:
    """Return `(n_left, n_right)`: the Euclidean distances of all pairs of vectors."""
    # Without a matrix product, whose rounding depends on the number of vectors.
    distances: Values = np.sqrt(((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2))
    return distances


def measure_cosine(left: Values, right: Values) -> Values:
    """Return `(n_left, n_right)`: 1 - cosine of all pairs of vectors, within [0, 2]; 1 if a vector is zero."""
    products = (left[:, None, :] * right[None, :, :]).sum(axis=2)
    lengths = np.sqrt((left**2).sum(axis=1))[:, None] * np.sqrt((right**2).sum(axis=1))[None, :]
    cosines = np.divide(products, lengths, out=np.zeros(products.shape), where=lengths > 0)
    distances: Values = np.clip(1 - cosines, 0, 2)
    return distances


def solve_transport(shares: Values, others: Values, *, costs: Values) -> float:
    """Return the minimum cost of transporting the distribution `shares` to `others`; both sum to 1.

    Args:
        shares: `(n,)` the mass at each source.
        others: `(m,)` the mass at each target.
        costs: `(n, m)` not negative: the cost of moving a mass of 1 from a source to a target.
    """
    if min(costs.shape) == 1:
        # With a single source or target there is only one plan.
        return float((shares[:, None] * others[None, :] * costs).sum())
    from ot.lp import emd2

    return max(float(emd2(shares, others, np.ascontiguousarray(costs))), 0.0)
