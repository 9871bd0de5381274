"""Scores of all rows, computed from parts and equal to those computed from all rows in memory."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from metrics_plugins.api.scores import Values

_AT_ONCE: Final = 1 << 20


def average(parts: Callable[[], Iterator[Values]]) -> float:
    """Return the mean of the values that are not NaN, with the very rounding of `numpy.mean`; NaN if there are none.

    Args:
        parts: Returns all values in order, in parts of any sizes; called twice.
    """
    count = sum(int(np.count_nonzero(~np.isnan(part))) for part in parts())
    if not count:
        return float("nan")
    values = _Values(part[~np.isnan(part)] for part in parts())
    return float(np.float64(_add_pairwise(values, count)) / count)


def _add_pairwise(values: "_Values", count: int) -> float:
    """Return the sum of the next values in the order in which NumPy adds an array of this length.

    NumPy halves a long array at a multiple of eight and adds the sums of both parts.
    """
    if count <= _AT_ONCE:
        return float(values.take(count).sum())
    half = count // 2
    half -= half % 8
    return _add_pairwise(values, half) + _add_pairwise(values, count - half)


class _Values:
    """Values that are taken in order."""

    def __init__(self, parts: Iterator[Values]) -> None:
        self._parts = parts
        self._left: Values = np.zeros(0)

    def take(self, count: int) -> Values:
        taken = [self._left[:count]]
        self._left = self._left[count:]
        while (missing := count - sum(map(len, taken))) > 0:
            part = next(self._parts)
            taken.append(part[:missing])
            self._left = part[missing:]
        return np.concatenate(taken)
