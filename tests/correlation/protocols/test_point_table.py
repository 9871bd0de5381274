import numpy as np
import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.point_table import PointRow, tabulate_points


def test_each_value_has_a_row():
    rows = tabulate_points([2, 1, 1, 1, 1, 1], [7, 0, 1, 2, 3, 9])

    # Quartiles of 0, 1, 2, 3, 9 by hand: positions 1, 2 and 3 of 0 .. 4.
    assert rows == (PointRow(1.0, 1.0, 5, 1.0, 2.0, 3.0, 3.0), PointRow(2.0, 2.0, 1, 7.0, 7.0, 7.0, 7.0))


def test_many_values_are_gathered_into_rows_of_like_size():
    rows = tabulate_points(np.arange(100), np.arange(100) * 2.0, most_rows=4)

    assert [(row.low, row.high, row.n, row.mean) for row in rows] == [
        (0, 24, 25, 24.0),
        (25, 49, 25, 74.0),
        (50, 74, 25, 124.0),
        (75, 99, 25, 174.0),
    ]


def test_equal_values_stay_together():
    x = [*range(5), *([9] * 95)]

    rows = tabulate_points(x, x, most_rows=4)

    assert [(row.low, row.high, row.n) for row in rows] == [(0, 4, 5), (9, 9, 95)]


def test_no_points_make_no_rows():
    assert tabulate_points([], []) == ()


def test_lengths_must_be_equal():
    with pytest.raises(CorrelationInputError, match=r"`y` must have one entry per x \(2\), got 1"):
        tabulate_points([1, 2], [1])
