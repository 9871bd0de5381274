"""The least work that turns one distribution into another, by POT's solver of the earth mover's problem."""

import numpy as np

from metrics_plugins.api.scores import Values
from metrics_plugins.metrics.word_movers.vectors import find_package


def require_solver(metric_id: str) -> None:
    """Raise `MissingResource` if POT is not installed."""
    find_package("ot", wanted_for=f"metric {metric_id!r}")


def measure_euclidean(left: Values, right: Values) -> Values:
    """Return `(n_left, n_right)`: the Euclidean distance between every two vectors."""
    # Not by a product of matrices, whose last bits depend on how many vectors there are.
    distances: Values = np.sqrt(((left[:, None, :] - right[None, :, :]) ** 2).sum(axis=2))
    return distances


def measure_cosine(left: Values, right: Values) -> Values:
    """Return `(n_left, n_right)`: 1 - cosine of every two vectors, within [0, 2]; 1 where a vector is zero."""
    products = (left[:, None, :] * right[None, :, :]).sum(axis=2)
    lengths = np.sqrt((left**2).sum(axis=1))[:, None] * np.sqrt((right**2).sum(axis=1))[None, :]
    cosines = np.divide(products, lengths, out=np.zeros(products.shape), where=lengths > 0)
    distances: Values = np.clip(1 - cosines, 0, 2)
    return distances


def solve_transport(shares: Values, others: Values, *, costs: Values) -> float:
    """Return the least cost of moving `shares` to `others`; both sum to 1.

    Args:
        shares: `(n,)` what lies where things start.
        others: `(m,)` what shall lie where they end.
        costs: `(n, m)` not negative: the cost of moving 1 from one place to another.
    """
    if min(costs.shape) == 1:
        # With one place on a side there is one plan only.
        return float((shares[:, None] * others[None, :] * costs).sum())
    from ot.lp import emd2

    return max(float(emd2(shares, others, np.ascontiguousarray(costs))), 0.0)
