"""The table of a draft's items: one row per caption, per pair or, for writing captions, per image."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.values import read_key, read_text
from studies.enums import TaskKind, TaskRole
from studies.shared.errors import ImportFailed

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
"""Kinds that show all rows of an image together by default."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One checked row; `task` is the same for rows shown together, `expected` is None if no answer is wrong."""

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
    rows, refused = check_rows(table, kind=kind)
    if refused:
        raise refused[0]
    return rows


def check_rows(table: Table, *, kind: TaskKind) -> tuple[list[DraftRow], list[ImportFailed]]:
    """Return the valid rows and all errors of the others, in order."""
    refused = _check_columns(table, kind=kind)
    if refused:
        return [], refused
    rows = []
    for number, record in enumerate(table.records, start=1):
        attempt = _Attempt(record)
        row = _read_row(attempt, kind=kind, number=number)
        if attempt.refused:
            refused += attempt.refused
        else:
            rows.append(row)
    return rows, refused


def _check_columns(table: Table, *, kind: TaskKind) -> list[ImportFailed]:
    unknown = [
        ImportFailed(table.name, f"has an unknown column; the columns are {', '.join(COLUMNS)}", got=column)
        for column in table.columns
        if column not in COLUMNS
    ]
    missing = [
        ImportFailed(table.name, f"needs a column {column} for a study of the kind {kind}")
        for column in _NEEDED.get(kind, _NEEDED_ELSE)
        if column not in table.columns
    ]
    return unknown + missing


class _Attempt:
    """Reads the fields of one record and collects their errors, so that all can be reported at once."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.refused: list[ImportFailed] = []

    def read_name(self, column: str, *, longest: int, default: str | None = None) -> str:
        value, location = self.record.values.get(column), self.record.location.at(column)
        if value is None and default is not None:
            return default
        if value is None:
            return self._refuse(ImportFailed(location, "must not be empty"))
        try:
            return read_key(value, location, longest=longest)
        except ImportFailed as error:
            return self._refuse(error)

    def read_words(self, column: str, *, needed: bool = False) -> str:
        value, location = self.record.values.get(column), self.record.location.at(column)
        try:
            text = "" if value is None else read_text(value, location).strip()
        except ImportFailed as error:
            return self._refuse(error)
        return text if text or not needed else self._refuse(ImportFailed(location, "must not be empty"))

    def read_role(self) -> TaskRole | None:
        role = self.record.values.get("role") or TaskRole.MAIN
        if role in TaskRole.values:
            return TaskRole(role)
        rule = f"must be one of {', '.join(TaskRole.values)}"
        self._refuse(ImportFailed(self.record.location.at("role"), rule, got=role))
        return None

    def read_expected(self, role: TaskRole) -> list[Any] | None:
        try:
            return _read_expected(self.record, role=role)
        except ImportFailed as error:
            self._refuse(error)
            return None

    def _refuse(self, error: ImportFailed) -> str:
        self.refused.append(error)
        return ""


def _read_row(attempt: _Attempt, *, kind: TaskKind, number: int) -> DraftRow:
    image = attempt.read_name("image", longest=150)
    needed = _NEEDED.get(kind, _NEEDED_ELSE)
    together = image if kind in _SHARES_PAGE else f"row {number}"
    role = attempt.read_role()
    return DraftRow(
        record=attempt.record,
        image=image,
        system=attempt.read_name("system", longest=100, default="unknown"),
        candidate=attempt.read_words("candidate", needed="candidate" in needed),
        other_system=attempt.read_name("other_system", longest=100, default="unknown"),
        other_candidate=attempt.read_words("other_candidate", needed="other_candidate" in needed),
        anchor=attempt.read_words("anchor"),
        category=attempt.read_name("category", longest=50, default="") if attempt.record.values.get("category") else "",
        task=f"{role} {attempt.read_name('task', longest=200, default=together)}",
        role=role or TaskRole.MAIN,
        expected=attempt.read_expected(role) if role else None,
        feedback=attempt.read_words("feedback"),
    )


def _read_expected(record: Record, *, role: TaskRole) -> list[Any] | None:
    """Parse the expected answer: a number, several separated by blanks, or `low..high`."""
    value, location = record.values.get("expected"), record.location.at("expected")
    if value is None:
        if role in (TaskRole.QUALIFICATION, TaskRole.ATTENTION):
            raise ImportFailed(location, f"must give the correct answer in a task with role {role}")
        return None
    if role == TaskRole.MAIN:
        raise ImportFailed(location, "must be empty in a main task, which has no correct answer", got=value)
    try:
        return [_read_part(part) for part in (value.split() if isinstance(value, str) else [json.dumps(value)])]
    except ValueError as error:
        raise ImportFailed(location, "must be numbers separated by spaces, or low..high", got=value) from error


def _read_part(part: str) -> float | list[float]:
    low, dots, high = part.partition("..")
    ends = [float(low), float(high)] if dots else [float(part)]
    # Raters cannot answer NaN or infinity, and databases differ in storing them.
    if not all(map(isfinite, ends)) or ends != sorted(ends):
        raise ValueError(part)
    return ends if dots else ends[0]
