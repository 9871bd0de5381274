"""Tests of the columns by which a board can be ordered."""

from challenges.board.ranking import Board, Column
from challenges.board.shown import find_column, name_column

COLUMNS = tuple(Column(references, metric, True) for references in ("c5", "c40") for metric in ("bleu-4", "spice"))


def test_each_column_is_found_by_its_name():
    board = Board(columns=COLUMNS, entries=())

    assert [find_column(board, order=name_column(each)) for each in COLUMNS] == [0, 1, 2, 3]
    assert name_column(COLUMNS[2]) == "bleu-4:c40"
    assert find_column(board, order="bleu-4") is find_column(board, order="") is None
