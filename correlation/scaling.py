"""Scale values by a power of two, which is exact, so that their squares neither overflow nor underflow.

The square of a number above 1e154 overflows, and that of a number below 1e-154 loses precision or is 0. Coefficients do
not depend on the scale of their data, so they are computed from scaled data; scaling by a power of two does not change
the digits of results that need no scaling.
"""

import numpy as np

from correlation.validation import FloatArray, IntArray


def scale_values(values: FloatArray) -> FloatArray:
    """Divide values by the power of two that brings the largest absolute value into [0.5, 1); zeros are unchanged.

    >>> scale_values(np.array([3e200, -1e200])).round(3).tolist()
    [0.98, -0.327]
    """
    return shrink(values, find_exponent(values))


def find_exponent(values: FloatArray) -> int:
    """Return the exponent of the power of two that `scale_values` divides by; 0 if there are no nonzero values."""
    return int(np.frexp(np.abs(values).max(initial=0.0))[1])


def find_group_exponents(values: FloatArray, group: IntArray, *, n_groups: int) -> IntArray:
    """As `find_exponent` for the values of each group, shape (n_groups,), ignoring NaN."""
    largest = np.zeros(n_groups)
    np.fmax.at(largest, group, np.abs(values))
    exponents: IntArray = np.frexp(largest)[1].astype(np.int64)
    return exponents


def shrink(values: FloatArray, exponent: int | IntArray) -> FloatArray:
    """Divide values by 2 ** exponent without computing that power, which may overflow."""
    scaled: FloatArray = np.ldexp(values, -np.asarray(exponent))
    return scaled
