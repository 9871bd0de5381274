"""Reads the tables of published data sets, whose columns are known, by the code for any table of judgments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from correlation.protocols.named import get_protocol
from studies.datasets.importing.files.json_tables import read_any_records
from studies.datasets.importing.files.opening import open_container, open_file, open_files
from studies.datasets.importing.files.table_files import Record, Table
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.records import DatasetRecord
from studies.datasets.importing.tables.reading import TableFacts, build_dataset, join_tables
from studies.shared.errors import ImportFailed, Unquoted
from studies.shared.files import SourceFile

ITEM = "item"

Load = Callable[[Sequence[SourceFile], Sequence[SourceFile]], Table]


@dataclass(frozen=True, slots=True)
class NamedTable:
    """How the table of a published data set is read.

    Attributes:
        name: The default name of the study.
        protocol: The name of its protocol.
        facts: What is known of it besides the rows.
        files, reference_files: Names of its files in a folder or archive, with wildcards.
        fields: Field -> names that its column has in published versions; the first one that a table has is used.
        criteria: Criterion -> the same.
        scale: The values that a judgment may have; "" for any.
        load: Makes the table from the files and the files of references, where it is not simply their rows.
        keeps_references: Whether references are also read by image after `load` has used their files.
        needs_references: Whether the references are in files, which must be given.
        are_several: Whether a folder may have several of its files, which are one table.
    """

    name: str
    protocol: str
    facts: TableFacts
    files: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    reference_files: tuple[str, ...] = ()
    criteria: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scale: str = ""
    load: Load | None = None
    keeps_references: bool = True
    needs_references: bool = False
    are_several: bool = False

    def read(self, options: ImportOptions) -> DatasetRecord:
        """Read the files that the options name, or those that are found in a folder or archive."""
        files = open_files(options.sources, patterns=self.files, are_several=self.are_several)
        references = self._open_references(options)
        if self.load is None:
            table = number_rows(join_tables([read_any_records(file) for file in files]))
        else:
            table = self.load(files, references)
        loaded = table.notes
        table, columns = self._assign_columns(table, options.column)
        table, empty = leave_out_empty(table, columns)
        chosen = replace(
            options,
            study=options.study or self.name,
            column=columns,
            protocol=options.protocol or self._choose_protocol(columns, has_files=bool(references)),
            scale=options.scale or self.scale or None,
            ignore_columns=True,
        )
        # The digest covers the files of references also where only `load` reads them.
        used = [] if self.keeps_references else references
        return build_dataset(
            chosen,
            table,
            files=[*files, *used],
            reference_files=references if self.keeps_references else [],
            facts=replace(self.facts, notes=(*loaded, *empty)),
        )

    def _open_references(self, options: ImportOptions) -> list[SourceFile]:
        found = [open_file(path) for path in options.references]
        for path in () if found else options.sources:
            container = open_container(path)
            if container is not None:
                found += container.read(container.list_names(*self.reference_files))
        if self.needs_references and not found:
            rule = f"must name the file with the references ({' or '.join(self.reference_files)})"
            raise ImportFailed("--references", rule)
        return found

    def _assign_columns(self, table: Table, choices: Sequence[str]) -> tuple[Table, tuple[str, ...]]:
        """Return the table with a column for each criterion, and the column of each field as `--column` has it."""
        chosen = {choice.partition("=")[0] for choice in choices}
        columns = list(choices)
        for name, names in self.fields.items():
            if name in chosen:
                continue
            column = next((each for each in names if each in table.columns), None)
            if column is not None:
                columns.append(f"{name}={column}")
            elif name in ("image", "candidate", "value"):
                rule = f"must have a column {' or '.join(names)} (or give --column {name}=COLUMN)"
                raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
        if ITEM in table.columns and ITEM not in chosen:
            columns.append(f"{ITEM}={ITEM}")
        return self._rename_criteria(table), tuple(columns)

    def _rename_criteria(self, table: Table) -> Table:
        renamed: dict[str, str] = {}
        for criterion, names in self.criteria.items():
            column = next((each for each in names if each in table.columns), None)
            if column is None:
                rule = f"must have a column {' or '.join(names)}"
                raise ImportFailed(table.name, rule, got=Unquoted(", ".join(table.columns)))
            renamed[criterion] = column
        if not renamed:
            return table
        records = [
            Record(
                each.location,
                {**each.values, **{criterion: each.values.get(column) for criterion, column in renamed.items()}},
            )
            for each in table.records
        ]
        return Table(table.name, tuple(dict.fromkeys([*table.columns, *renamed])), records)

    def _choose_protocol(self, columns: Sequence[str], *, has_files: bool) -> str:
        """Return the protocol of the set, with the references that the table has."""
        protocol = get_protocol(self.protocol)
        has_own = any(choice.startswith("row_reference=") for choice in columns)
        if has_own and not has_files and protocol.references.kind != "set":
            return protocol.with_options(references="set").signature
        if not has_own and protocol.references.kind == "set":
            return protocol.with_options(references="all").signature
        return protocol.reference


def leave_out_empty(table: Table, columns: Sequence[str]) -> tuple[Table, tuple[str, ...]]:
    """Return the table without rows that lack an image, a caption or a rating, and a note of how many they are."""
    needed = [choice.partition("=")[2] for choice in columns if choice.startswith(("image=", "candidate=", "value="))]
    kept = [record for record in table.records if all(record.values.get(name) is not None for name in needed)]
    n_empty = len(table.records) - len(kept)
    if not n_empty or not kept:
        return table, ()
    rows = "1 row was" if n_empty == 1 else f"{n_empty:,} rows were"
    return Table(table.name, table.columns, kept), (f"{rows} left out without an image, a caption or a rating",)


def number_rows(table: Table) -> Table:
    """Return the table with an id for each row, so that each row is an item of its own, as where it was published."""
    if ITEM in table.columns:
        return table
    records = [
        Record(record.location, {**record.values, ITEM: f"row-{number}"})
        for number, record in enumerate(table.records, start=1)
    ]
    return Table(table.name, (*table.columns, ITEM), records)
