"""The board as a person sees it: final or present, with the names that they may see, ordered by any column."""

from typing import Any

from challenges.board.freezing import load_board
from challenges.board.ranking import Board, Column, compute_board, reorder_board
from challenges.models import Phase
from challenges.rules import HOST_CHALLENGE


def show_board(phase: Phase, *, user: Any, order: str = "") -> tuple[Board, Column | None]:
    """Return the board and the column that ranks it; an unknown or empty `order` is the first column.

    Hosts see the names of teams before they are published, until the board is final.
    """
    if phase.frozen_at is None and user.has_perm(HOST_CHALLENGE, phase.challenge):
        board = compute_board(phase, shows_names=True)
    else:
        board = load_board(phase)
    number = find_column(board, order=order) or 0
    if number:
        board = reorder_board(board, order_by=number)
    return board, board.columns[number] if board.columns else None


def find_column(board: Board, *, order: str) -> int | None:
    """Return the number of the column with this name, as `name_column` prints it."""
    names = [name_column(each) for each in board.columns]
    return names.index(order) if order in names else None


def name_column(column: Column) -> str:
    """Return the name of a column in addresses, such as `cider-d:c5`."""
    return f"{column.metric}:{column.references}"
