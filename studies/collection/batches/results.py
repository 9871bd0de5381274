"""Reads the results of a batch: `Input.*`, `Answer.*`, `WorkerId`, `AssignmentId` and `WorkTimeInSeconds`."""

import re
from pathlib import Path
from typing import Final

from studies.collection.batches.tasks import BatchRow
from studies.datasets.importing.files.table_files import Record, read_records
from studies.models import Study
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import read_file

WORKER, ASSIGNMENT, SECONDS, STATUS = "WorkerId", "AssignmentId", "WorkTimeInSeconds", "AssignmentStatus"
STUDY, TASK, LAYOUT, ANSWER = "Input.study", "Input.task", "Input.layout", "Answer."
_LONGEST: Final = 200
_LONGEST_SECONDS: Final = 30 * 24 * 60 * 60


def read_results(path: Path, *, study: Study) -> list[BatchRow]:
    """Return the rows of a results file, without those that the requester has rejected.

    Raises:
        ImportFailed: The file is not such a table, is of another study, or contains an assignment twice.
    """
    table = read_records(read_file(path))
    missing = [name for name in (WORKER, ASSIGNMENT, STUDY, TASK, LAYOUT) if name not in table.columns]
    if missing or not any(name.startswith(ANSWER) for name in table.columns):
        rule = f"must have the columns {WORKER}, {ASSIGNMENT}, {STUDY}, {TASK}, {LAYOUT} and {ANSWER}*"
        raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
    rows = [_read_row(record, study) for record in table.records if record.values.get(STATUS) != "Rejected"]
    lines: dict[str, str] = {}
    for row in rows:
        if row.assignment in lines:
            rule = f"must occur only once, but is already in {lines[row.assignment]}"
            raise ImportFailed(row.location.at(ASSIGNMENT), rule, got=row.assignment)
        lines[row.assignment] = row.location.record
    return rows


def _read_row(record: Record, study: Study) -> BatchRow:
    if record.values[STUDY] != study.name:
        raise ImportFailed(record.location.at(STUDY), f"must be {study.name}", got=record.values[STUDY])
    answers = {name: str(value) for name, value in record.values.items() if value is not None}
    return BatchRow(
        location=record.location,
        worker=_read_id(record, WORKER),
        assignment=_read_id(record, ASSIGNMENT),
        task=_read_count(record, TASK, most=10**9),
        layout=str(record.values[LAYOUT] or ""),
        seconds=float(_read_count(record, SECONDS, most=_LONGEST_SECONDS)),
        fields={name.removeprefix(ANSWER): value for name, value in answers.items() if name.startswith(ANSWER)},
    )


def _read_id(record: Record, name: str) -> str:
    value = str(record.values.get(name) or "").strip()
    if not 0 < len(value) <= _LONGEST or not value.isprintable() or any(letter.isspace() for letter in value):
        raise ImportFailed(record.location.at(name), f"must be an id of 1 to {_LONGEST} characters", got=value)
    return value


def _read_count(record: Record, name: str, *, most: int) -> int:
    text = str(record.values.get(name) or 0)
    if not re.fullmatch("[0-9]{1,10}", text) or int(text) > most:
        raise ImportFailed(record.location.at(name), f"must be a whole number from 0 to {most}", got=text)
    return int(text)
