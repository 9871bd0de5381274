"""Tests of sorting with positions, packed into one number or not."""

import numpy as np
import pytest

from metrics_plugins.text.sorting import mark_changes, sort_with_positions


@pytest.mark.parametrize("offset", [0, 2**40, 2**62])  # the last does not fit into one number with its position
def test_keys_are_sorted_and_equal_keys_keep_their_order(offset: int) -> None:
    keys = np.array([3, 1, 3, 0, 1], dtype=np.int64) + offset
    positions = np.array([2, 3, 5, 7, 9], dtype=np.int64)

    sorted_keys, sorted_positions = sort_with_positions(keys, positions, n_positions=10)

    assert (sorted_keys - offset).tolist() == [0, 1, 1, 3, 3]
    assert sorted_positions.tolist() == [7, 3, 9, 2, 5]


def test_nothing_to_sort() -> None:
    nothing = np.empty(0, dtype=np.int64)

    assert [column.tolist() for column in sort_with_positions(nothing, nothing, n_positions=0)] == [[], []]


@pytest.mark.parametrize(("values", "changes"), [([], []), ([5], [True]), ([1, 1, 2, 1], [True, False, True, True])])
def test_mark_changes(values: list[int], changes: list[bool]) -> None:
    assert mark_changes(np.array(values, dtype=np.int64)).tolist() == changes
