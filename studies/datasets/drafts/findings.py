"""What a check of an upload finds: errors, grouped by column, rows that repeat earlier ones, and missing systems."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Self

from studies.datasets.drafts.columns import ColumnUse
from studies.datasets.drafts.rows import DraftRow
from studies.datasets.importing.files.table_files import Table
from studies.enums import TaskRole
from studies.shared.errors import ImportFailed, SourceLocation

N_EXAMPLES: Final = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One error: its place, the rule, and the offending value."""

    file: str
    record: str
    field: str
    rule: str
    got: str

    @classmethod
    def of(cls, error: ImportFailed) -> Self:
        location = error.location if isinstance(error.location, SourceLocation) else SourceLocation(str(error.location))
        return cls(location.file, location.record, location.field, error.rule, error.got)


@dataclass(frozen=True, slots=True)
class FaultGroup:
    """The errors of one file and column that break the same rule; `faults` are the first of them.

    Attributes:
        file, field, rule: The same for all.
        n: The number of errors.
        faults: At most `N_EXAMPLES`, in order.
    """

    file: str
    field: str
    rule: str
    n: int
    faults: tuple[Fault, ...]

    @property
    def first(self) -> Fault:
        return self.faults[0]


@dataclass(frozen=True, slots=True)
class Repeats:
    """The number of rows that repeat an earlier row, and the first of them as text."""

    n: int = 0
    examples: tuple[str, ...] = ()


def group_faults(faults: Iterable[Fault]) -> tuple[FaultGroup, ...]:
    """Return the errors by file, column and rule, in the order of the first of each."""
    groups: dict[tuple[str, str, str], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.file, fault.field, fault.rule), []).append(fault)
    return tuple(FaultGroup(*key, len(each), tuple(each[:N_EXAMPLES])) for key, each in groups.items())


def find_repeats(rows: Sequence[DraftRow], *, n_examples: int = 5) -> Repeats:
    """Return the main rows that show what an earlier one shows: image, systems, captions and anchor."""
    first: dict[tuple[str, ...], DraftRow] = {}
    found = []
    for row in rows:
        if row.role != TaskRole.MAIN:
            continue
        shown = (row.image, row.system, row.candidate, row.other_system, row.other_candidate, row.anchor, row.category)
        earlier = first.setdefault(shown, row)
        if earlier is not row:
            found.append(f"{row.record.location.record} repeats {earlier.record.location.record}")
    return Repeats(len(found), tuple(found[:n_examples]))


def count_nameless(table: Table, uses: Sequence[ColumnUse]) -> int:
    """Return the number of rows with an empty cell in a column that names systems; 0 if there is no such column."""
    columns = [use.column for use in uses if use.column and use.field in ("system", "other_system")]
    cells = ([record.values.get(column) for column in columns] for record in table.records)
    return sum(any(cell is None or not str(cell).strip() for cell in row) for row in cells)
