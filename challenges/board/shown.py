"""The board as a person sees it: final or present, with the names that they may see, ordered by any column."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from challenges.board.freezing import load_board
from challenges.board.ranking import Board, Column, compute_board, reorder_board
from challenges.human.showing import tabulate_human_results
from challenges.human.table import HumanTable, join_tables, sort_rows
from challenges.models import Phase
from challenges.rules import HOST_CHALLENGE


def show_board(phase: Phase, *, user: Any, now: datetime, order: str = "") -> tuple[Board, Column | None]:
    """Return the board with human results, and the column that ranks it; an unknown or empty `order` is the first.

    Hosts see the names of teams before they are published, until the board is final.
    """
    shows_names = phase.challenge.shows_names
    if phase.frozen_at is None and user.has_perm(HOST_CHALLENGE, phase.challenge):
        shows_names = True
        board = compute_board(phase, shows_names=True)
    else:
        board = load_board(phase)
    number = find_column(board, order=order) or 0
    if number:
        board = reorder_board(board, order_by=number)
    board = replace(board, human=_find_human_results(phase, board, shows_names=shows_names, now=now))
    return board, board.columns[number] if board.columns else None


def _find_human_results(phase: Phase, board: Board, *, shows_names: bool, now: datetime) -> HumanTable | None:
    """Return the human results of a final board with later ones, or the present ones."""
    stored = {each.criterion for each in board.human.columns} if board.human else set()
    later = tabulate_human_results(phase, board=board, shows_names=shows_names, now=now, but=stored)
    table = join_tables(board.human, later)
    return sort_rows(table, [each.submission for each in board.entries]) if table else None


def find_column(board: Board, *, order: str) -> int | None:
    """Return the number of the column with this name, as `name_column` prints it."""
    names = [name_column(each) for each in board.columns]
    return names.index(order) if order in names else None


def name_column(column: Column) -> str:
    """Return the name of a column in addresses, such as `cider-d:c5`."""
    return f"{column.metric}:{column.references}"
