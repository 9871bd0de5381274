"""Reads tables of judgments in JSON: a list of objects, lists of objects by name, or an object in each line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from studies.datasets.importing.files.json_files import check_object, read_json
from studies.datasets.importing.files.table_files import Record, Table, read_records
from studies.shared.errors import ImportFailed, SourceLocation
from studies.shared.files import SourceFile
from studies.shared.limits import LIMITS, check_rows


def read_any_records(file: SourceFile) -> Table:
    """Return a table in the format of its file extension, which may be `.json`."""
    return read_json_records(file) if Path(file.name).suffix.lower() == ".json" else read_records(file)


def has_lines(file: SourceFile) -> bool:
    """Whether a file has a JSON object in each line: its first line is one, and others follow."""
    first, _, rest = file.content.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if first[:1] != b"{" or not rest.strip():
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return True


def read_json_records(file: SourceFile) -> Table:
    """Return the objects of a `.json` as a table; a file with an object in each line is read as JSON Lines.

    Raises ImportFailed if the file holds anything else, or no objects.
    """
    if has_lines(file):
        return read_records(SourceFile(f"{file.name}l", file.content))
    columns: dict[str, None] = {}
    records = []
    for location, value in _list_values(read_json(file), file.name):
        record = check_object(value, location, fields=())
        check_rows(len(records) + 1, name=file.name, limits=LIMITS)
        columns.update(dict.fromkeys(record))
        records.append(Record(location, record))
    if not records:
        raise ImportFailed(file.name, "holds no rows")
    return Table(file.name, tuple(columns), records)


def _list_values(data: Any, name: str) -> Iterator[tuple[SourceLocation, Any]]:
    """Yield the values of a list, or of the lists in an object, each with its location."""
    parts = data if isinstance(data, dict) else {"": data}
    for part, values in parts.items():
        if not isinstance(values, list):
            raise ImportFailed(name, "must be a list of objects, or an object of such lists")
        for number, value in enumerate(values, start=1):
            yield SourceLocation(name, f"{part} record {number}".strip()), value
