"""A scatter plot as a table: the distribution of y by ranges of x."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from correlation.validation import FloatArray, as_floats, check_length


@dataclass(frozen=True, slots=True)
class PointRow:
    """The `n` points with x in [low, high]: quartiles and mean of y."""

    low: float
    high: float
    n: int
    lower_quartile: float
    median: float
    upper_quartile: float
    mean: float


def tabulate_points(x: ArrayLike, y: ArrayLike, *, most_rows: int = 10) -> tuple[PointRow, ...]:
    """Group points into rows by ascending x: one per distinct x, or at most `most_rows` rows of about equal n.

    Equal values of x are always in the same row. Quartiles are interpolated linearly, the default of numpy.

    Parameters
    ----------
    x, y
        Shape (n,), finite.
    most_rows
        At least 1.

    Examples
    --------
    >>> [(row.low, row.n, row.median) for row in tabulate_points([1, 1, 2], [5, 6, 9])]
    [(1.0, 2, 5.5), (2.0, 1, 9.0)]
    """
    checked_x, checked_y = as_floats("x", x), as_floats("y", y)
    check_length("y", len(checked_y), len(checked_x), "x")
    values, counts = np.unique(checked_x, return_counts=True)
    if len(values) <= most_rows:
        row_of_value = np.arange(len(values))
    else:
        # A value belongs to the row that contains the middle of its points.
        middles = np.cumsum(counts) - counts / 2
        row_of_value = np.floor(middles * most_rows / len(checked_x)).astype(np.int64)
    row = row_of_value[np.searchsorted(values, checked_x)]
    return tuple(_describe(checked_x[row == number], checked_y[row == number]) for number in np.unique(row_of_value))


def _describe(x: FloatArray, y: FloatArray) -> PointRow:
    lower, median, upper = np.quantile(y, [0.25, 0.5, 0.75]).tolist()
    return PointRow(float(x.min()), float(x.max()), len(x), lower, median, upper, float(y.mean()))
