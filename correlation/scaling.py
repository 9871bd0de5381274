"""Scale values by a power of two, which is exact, so that their squares neither overflow nor vanish.

A number above 1e154 has no finite square, and the square of one below 1e-154 loses digits or is 0. Coefficients do not
depend on the scale of their data, so they are computed from scaled data; scaling by a power of two changes no digit of
a result that was right without it.
"""

from __future__ import annotations

import numpy as np

from correlation.validation import FloatArray, IntArray


def scale_values(values: FloatArray) -> FloatArray:
    """Values divided by the power of two that brings the largest absolute value into [0.5, 1); zeros stay zeros.

    >>> scale_values(np.array([3e200, -1e200])).round(3).tolist()
    [0.98, -0.327]
    """
    return shrink(values, find_exponent(values))


def find_exponent(values: FloatArray) -> int:
    """The exponent of the power of two that `scale_values` divides by; 0 for no values and for zeros."""
    return int(np.frexp(np.abs(values).max(initial=0.0))[1])


def find_group_exponents(values: FloatArray, group: IntArray, *, n_groups: int) -> IntArray:
    """As `find_exponent` for the values of each group, shape (n_groups,); NaN values do not count."""
    largest = np.zeros(n_groups)
    np.fmax.at(largest, group, np.abs(values))
    exponents: IntArray = np.frexp(largest)[1].astype(np.int64)
    return exponents


def shrink(values: FloatArray, exponent: int | IntArray) -> FloatArray:
    """Values divided by 2 ** exponent, without that power itself, which may be too large for a float."""
    scaled: FloatArray = np.ldexp(values, -np.asarray(exponent))
    return scaled
