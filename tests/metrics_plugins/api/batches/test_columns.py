"""Tests of ragged rows and of the table of distinct texts."""

import numpy as np

from metrics_plugins.api.batches.columns import Ragged, TextTable


def test_rows_come_back() -> None:
    ragged = Ragged.from_rows([[4, 5], [], [6]])

    assert [row.tolist() for row in ragged] == [[4, 5], [], [6]]
    assert len(ragged) == 3
    assert ragged.lengths.tolist() == [2, 0, 1]
    assert ragged.row_of_value.tolist() == [0, 0, 2]


def test_take_repeats_and_reorders_rows() -> None:
    taken = Ragged.from_rows([[4, 5], [], [6]]).take(np.array([2, 0, 1, 0]))

    assert [row.tolist() for row in taken] == [[6], [4, 5], [], [4, 5]]


def test_rows_of_the_same_values_are_grouped_in_order_of_appearance() -> None:
    ragged = Ragged.from_rows([[2, 1], [], [1, 2], [2, 1], []])

    assert list(ragged.group_rows().items()) == [((2, 1), [0, 3]), ((), [1, 4]), ((1, 2), [2])]
    assert Ragged.from_rows([]).group_rows() == {}


def test_no_rows() -> None:
    assert len(Ragged.from_rows([])) == 0
    assert len(Ragged.from_rows([[1]]).take(np.array([], dtype=np.int64))) == 0


def test_texts_keep_the_order_of_first_appearance() -> None:
    table = TextTable()

    assert [table.add(text) for text in ("b", "a", "b")] == [0, 1, 0]
    assert table.texts == ("b", "a")
