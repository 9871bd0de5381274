"""Assigns the columns of a table of items to what a draft needs: guessed from their names, or chosen by a person."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studies.datasets.drafts.rows import COLUMNS
from studies.datasets.importing.files.column_names import guess_columns
from studies.datasets.importing.files.table_files import Record, Table
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed, Unquoted

_OF_PAIRS: Final = ("other_candidate", "other_system")
_OF_CAPTIONS: Final = ("candidate", "system", *_OF_PAIRS)


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """A column of a draft (`field`) and the column of the file that it is read from; empty if from none."""

    field: str
    column: str


def list_fields(kind: TaskKind) -> tuple[str, ...]:
    """Return the columns that a draft of this kind can have."""
    unused = _OF_CAPTIONS if kind == TaskKind.CAPTION else () if kind == TaskKind.PAIRWISE else _OF_PAIRS
    return tuple(field for field in COLUMNS if field not in unused)


def choose_columns(columns: Sequence[str], *, kind: TaskKind, chosen: Mapping[str, str]) -> tuple[ColumnUse, ...]:
    """Return the use of the columns of a file, one for each field of the kind.

    Args:
        columns: The columns of the file.
        kind: The kind of task.
        chosen: Column by field, as a person chose them, empty for a field without a column. A field that is not named
            is guessed, and so are all if the file lacks one of the columns, since it is then another file.

    >>> [(use.field, use.column) for use in choose_columns(["img", "text"], kind=TaskKind.RATING, chosen={})[:3]]
    [('image', 'img'), ('system', ''), ('candidate', 'text')]
    """
    kept = chosen if all(column in columns for column in chosen.values() if column) else {}
    fields = list_fields(kind)
    free = [column for column in columns if column not in kept.values()]
    guessed = guess_columns(free, fields=[field for field in fields if field not in kept])
    return tuple(ColumnUse(field, kept.get(field, guessed.get(field, ""))) for field in fields)


def rename_columns(table: Table, uses: Iterable[ColumnUse]) -> Table:
    """Return a table with the columns of a draft only, under their names."""
    fields = {use.field: use.column for use in uses if use.column}
    records = [
        Record(record.location, {field: record.values.get(column) for field, column in fields.items()})
        for record in table.records
    ]
    return Table(table.name, tuple(fields), records, table.notes)


def read_choices(choices: Iterable[str]) -> dict[str, str]:
    """Return column by field from `FIELD=COLUMN` choices; the column is empty for a field without one.

    Raises:
        ImportFailed: A field is unknown or named twice, or a column is chosen for two fields.
    """
    chosen: dict[str, str] = {}
    for choice in choices:
        field, equals, column = choice.partition("=")
        if not equals or field not in COLUMNS:
            raise ImportFailed("the columns", f"must be FIELD=COLUMN with a field of {', '.join(COLUMNS)}", got=choice)
        if field in chosen:
            raise ImportFailed("the columns", "may name each field once", got=Unquoted(field))
        if column and column in chosen.values():
            raise ImportFailed("the columns", "may use each column of the file once", got=column)
        chosen[field] = column
    return chosen
