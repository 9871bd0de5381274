"""The table of human results that is shown with a leaderboard and stored with a final one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from challenges.human.columns import HumanCell


@dataclass(frozen=True, slots=True)
class HumanHead:
    """The head of a column.

    Attributes:
        criterion: The name of the criterion.
        title: The meaning of the numbers.
        n_images: The number of sampled images.
        is_final: Whether the study is closed.
        at: When the column was computed.
    """

    criterion: str
    title: str
    n_images: int
    is_final: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class HumanRow:
    """A judged submission.

    Attributes:
        team: The name of its team; `ANONYMOUS` while names are not shown.
        submission: Its primary key.
        is_entry: Whether it is on the board; otherwise its team has another entry by now.
        cells: In the order of the columns; None where it was not judged.
    """

    team: str
    submission: int
    is_entry: bool
    cells: tuple[HumanCell | None, ...]


@dataclass(frozen=True, slots=True)
class HumanTable:
    """Human results by entry.

    Attributes:
        columns: The criteria.
        rows: The judged submissions in the order of the board.
        people: The cells of human captions, in the order of the columns.
        pending: Criteria that are being computed for the first time.
        n_stored: How many of the first columns are part of the final board.
    """

    columns: tuple[HumanHead, ...]
    rows: tuple[HumanRow, ...]
    people: tuple[HumanCell | None, ...]
    pending: tuple[str, ...] = ()
    n_stored: int = 0

    @property
    def has_people(self) -> bool:
        """Whether human captions were judged by themselves."""
        return any(self.people)

    @property
    def others(self) -> tuple[HumanRow, ...]:
        """The judged submissions that are not on the board."""
        return tuple(each for each in self.rows if not each.is_entry)

    def list_cells(self, submissions: Iterable[int]) -> list[tuple[HumanCell | None, ...]]:
        """Return the cells of each of the submissions in the order of the columns."""
        known = {each.submission: each.cells for each in self.rows}
        return [known.get(pk, (None,) * len(self.columns)) for pk in submissions]


def join_tables(stored: HumanTable | None, later: HumanTable | None) -> HumanTable | None:
    """Return the stored table with the columns of another one, whose criteria are different, to its right."""
    if stored is None or later is None:
        return stored or later
    rows = {each.submission: each for each in (*later.rows, *stored.rows)}
    cells = zip(stored.list_cells(rows), later.list_cells(rows), strict=True)
    return replace(
        stored,
        columns=(*stored.columns, *later.columns),
        rows=tuple(
            replace(row, cells=(*first, *second)) for row, (first, second) in zip(rows.values(), cells, strict=True)
        ),
        people=(*stored.people, *later.people),
        pending=later.pending,
    )


def sort_rows(table: HumanTable, submissions: Iterable[int]) -> HumanTable:
    """Return the table with its rows in the order of the submissions, and all others behind."""
    order = {pk: number for number, pk in enumerate(submissions)}
    rows = sorted(table.rows, key=lambda each: (order.get(each.submission, len(order)), each.submission))
    return replace(table, rows=tuple(rows))


def read_human_table(record: Mapping[str, Any]) -> HumanTable:
    """Read the JSON of `dataclasses.asdict`."""
    return HumanTable(
        columns=tuple(HumanHead(**{**each, "at": datetime.fromisoformat(each["at"])}) for each in record["columns"]),
        rows=tuple(HumanRow(**{**each, "cells": _read_cells(each["cells"])}) for each in record["rows"]),
        people=_read_cells(record["people"]),
        pending=tuple(record["pending"]),
        n_stored=record["n_stored"],
    )


def _read_cells(record: Iterable[Mapping[str, Any] | None]) -> tuple[HumanCell | None, ...]:
    return tuple(each and HumanCell(**each) for each in record)
