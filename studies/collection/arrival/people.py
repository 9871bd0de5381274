"""Lists of people to invite."""

import csv
from pathlib import Path
from typing import Final

from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile, read_file

COLUMN: Final = "person"
_LONGEST: Final = 200


def read_people(path: Path) -> list[str]:
    """Return the people of a CSV file, as `parse_people` does."""
    return parse_people(read_file(path))


def parse_people(file: SourceFile) -> list[str]:
    """Return the people of a CSV file: those in the column `person` if the first line has one, else the first column.

    Raises:
        ImportFailed: The file is not CSV in UTF-8, has no people, or has a name that is repeated, empty or too long.
    """
    rows = _split(file)
    header = [cell.strip() for cell in rows[0][1]] if rows else []
    column = header.index(COLUMN) if COLUMN in header else 0
    people: dict[str, int] = {}
    for number, row in rows[1:] if COLUMN in header else rows:
        location = SourceLocation(file.name, f"line {number}", COLUMN)
        person = row[column].strip() if column < len(row) else ""
        if not 0 < len(person) <= _LONGEST or not person.isprintable():
            raise ImportFailed(location, f"must be 1 to {_LONGEST} printable characters", got=person)
        if person in people:
            raise ImportFailed(location, f"must occur only once, but is already in line {people[person]}", got=person)
        people[person] = number
    if not people:
        raise ImportFailed(file.name, "lists no people")
    return list(people)


def _split(file: SourceFile) -> list[tuple[int, list[str]]]:
    """Return the non-blank rows with their line numbers."""
    reader = csv.reader(file.decode().splitlines(keepends=True), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise ImportFailed(
            SourceLocation(file.name, f"line {reader.line_num}"), "must be CSV", got=Unquoted(error)
        ) from error
