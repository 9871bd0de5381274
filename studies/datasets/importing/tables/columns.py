"""Which column of a table holds which field, and which values a rating may have."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.values import read_key, read_number, read_text
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted

_NEEDED: Final = ("image", "candidate", "value")
FIELDS: Final = (*_NEEDED, "rater", "system", "other_candidate", "other_system", "anchor", "category", "reference")
_MOST_STEPS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of each field; only `reference` may have several, and a field without a column has none."""

    by_field: dict[str, tuple[str, ...]]

    def has(self, field: str) -> bool:
        return bool(self.by_field[field])

    def find(self, record: Record, field: str) -> tuple[Any, SourceLocation]:
        """Return a record's value of a field, None where it is empty or has no column, and its location."""
        if not self.by_field[field]:
            return None, record.location.at(field)
        column = self.by_field[field][0]
        return record.values.get(column), record.location.at(column)

    def read_text(self, record: Record, field: str) -> str:
        value, location = self.find(record, field)
        if value is None:
            raise ImportFailed(location, "must not be empty")
        return read_text(value, location)

    def read_key(self, record: Record, field: str, *, longest: int, default: str | None = None) -> str:
        value, location = self.find(record, field)
        if value is None and default is not None:
            return default
        if value is None:
            raise ImportFailed(location, "must not be empty")
        return read_key(value, location, longest=longest)

    def read_number(self, record: Record, field: str) -> tuple[float, SourceLocation]:
        value, location = self.find(record, field)
        if value is None:
            raise ImportFailed(location, "must not be empty")
        return read_number(value, location), location


def match_columns(choices: Sequence[str], *, table: Table) -> Columns:
    """Read `FIELD=COLUMN` choices; a field not chosen is the column of its own name, if there is one.

    Raises ImportFailed for an unknown field, a column that the table lacks, or a needed field without a column.
    """
    chosen: dict[str, list[str]] = {field: [] for field in FIELDS}
    for choice in choices:
        field, equals, column = choice.partition("=")
        if not equals or field not in FIELDS:
            raise ImportFailed("--column", f"must be FIELD=COLUMN with a field of {', '.join(FIELDS)}", got=choice)
        if column not in table.columns:
            rule = f"must name a column of {table.name} ({', '.join(table.columns)})"
            raise ImportFailed(f"--column {field}", rule, got=column)
        if chosen[field] and field != "reference":
            raise ImportFailed(
                f"--column {field}", "can have one column only", got=Unquoted(f"{chosen[field][0]}, {column}")
            )
        chosen[field].append(column)
    columns = {field: tuple(names) or ((field,) if field in table.columns else ()) for field, names in chosen.items()}
    for field in _NEEDED:
        if not columns[field]:
            rule = f"needs --column {field}=COLUMN, for the table has no column {field}"
            raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
    return Columns(columns)


def parse_scale(text: str) -> tuple[float, ...]:
    """Read `1-5` (every whole number of the range) or `1,2,3,4`, from lowest to highest."""
    if span := re.fullmatch(r"(\d{1,6})-(\d{1,6})", text):
        low, high = int(span[1]), int(span[2])
        if not low < high <= low + _MOST_STEPS:
            raise ImportFailed("--scale", f"must rise, by at most {_MOST_STEPS} steps", got=text)
        return tuple(float(value) for value in range(low, high + 1))
    values = tuple(read_number(part, SourceLocation("--scale")) for part in text.split(","))
    if len(values) < 2 or list(values) != sorted(set(values)):
        raise ImportFailed("--scale", "must be a range 1-5 or at least two rising values 1,2,3,4", got=text)
    return values
