"""A table of what is judged: one row a caption, a pair, or for writing captions an image."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from studies.domain.importing.errors import ImportFailed
from studies.domain.importing.table_files import Record, Table
from studies.domain.importing.values import read_key, read_text
from studies.enums import TaskKind, TaskRole

COLUMNS: Final = (
    "image",
    "system",
    "candidate",
    "other_system",
    "other_candidate",
    "anchor",
    "category",
    "task",
    "role",
    "expected",
    "feedback",
)
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    TaskKind.PAIRWISE: ("image", "candidate", "other_candidate"),
    TaskKind.CAPTION: ("image",),
}
_NEEDED_ELSE: Final = ("image", "candidate")
_SHARES_PAGE: Final = (TaskKind.SET_RATING, TaskKind.BEST_WORST)
"""Kinds that show all rows of an image together unless the table says otherwise."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One row, checked; `task` is the same for rows that are shown together, `expected` None where nothing is right."""

    record: Record
    image: str
    system: str
    candidate: str
    other_system: str
    other_candidate: str
    anchor: str
    category: str
    task: str
    role: TaskRole
    expected: list[Any] | None
    feedback: str


def read_rows(table: Table, *, kind: TaskKind) -> list[DraftRow]:
    """Return the rows of a table for a kind of study.

    Raises:
        ImportFailed: A column is unknown or missing, or a value breaks a rule; the message names line and column.
    """
    for column in table.columns:
        if column not in COLUMNS:
            raise ImportFailed(
                table.name, f"has a column that is not known; there are {', '.join(COLUMNS)}", got=column
            )
    for column in _NEEDED.get(kind, _NEEDED_ELSE):
        if column not in table.columns:
            raise ImportFailed(table.name, f"needs a column {column} for a study of the kind {kind}")
    return [_read_row(record, kind=kind, number=number) for number, record in enumerate(table.records, start=1)]


def _read_row(record: Record, *, kind: TaskKind, number: int) -> DraftRow:
    image = _read_name(record, "image", longest=150)
    needed = _NEEDED.get(kind, _NEEDED_ELSE)
    together = image if kind in _SHARES_PAGE else f"row {number}"
    role = record.values.get("role") or TaskRole.MAIN
    if role not in TaskRole.values:
        raise ImportFailed(record.place.at("role"), f"must be one of {', '.join(TaskRole.values)}", got=role)
    return DraftRow(
        record=record,
        image=image,
        system=_read_name(record, "system", longest=100, default="unknown"),
        candidate=_read_words(record, "candidate", needed="candidate" in needed),
        other_system=_read_name(record, "other_system", longest=100, default="unknown"),
        other_candidate=_read_words(record, "other_candidate", needed="other_candidate" in needed),
        anchor=_read_words(record, "anchor", needed=False),
        category=_read_name(record, "category", longest=50, default="") if record.values.get("category") else "",
        task=f"{role} {_read_name(record, 'task', longest=200, default=together)}",
        role=TaskRole(role),
        expected=_read_expected(record, role=TaskRole(role)),
        feedback=_read_words(record, "feedback", needed=False),
    )


def _read_name(record: Record, column: str, *, longest: int, default: str | None = None) -> str:
    value = record.values.get(column)
    if value is None and default is not None:
        return default
    if value is None:
        raise ImportFailed(record.place.at(column), "must not be empty")
    return read_key(value, record.place.at(column), longest=longest)


def _read_words(record: Record, column: str, *, needed: bool) -> str:
    value = record.values.get(column)
    text = "" if value is None else read_text(value, record.place.at(column)).strip()
    if needed and not text:
        raise ImportFailed(record.place.at(column), "must not be empty")
    return text


def _read_expected(record: Record, *, role: TaskRole) -> list[Any] | None:
    """Read what counts as right: a number, several with blanks between, or `low..high`."""
    value, place = record.values.get("expected"), record.place.at("expected")
    if value is None:
        if role in (TaskRole.QUALIFICATION, TaskRole.ATTENTION):
            raise ImportFailed(place, f"must say what counts as right, in a task of {role}")
        return None
    if role == TaskRole.MAIN:
        raise ImportFailed(place, "must be empty in a main task: nobody knows what is right there", got=value)
    try:
        return [_read_part(part) for part in (value.split() if isinstance(value, str) else [json.dumps(value)])]
    except ValueError as error:
        raise ImportFailed(place, "must be numbers with blanks between, or low..high", got=value) from error


def _read_part(part: str) -> float | list[float]:
    low, dots, high = part.partition("..")
    ends = [float(low), float(high)] if dots else [float(part)]
    # Neither is a number that a rater can give, and databases differ in keeping them.
    if not all(map(isfinite, ends)) or ends != sorted(ends):
        raise ValueError(part)
    return ends if dots else ends[0]
