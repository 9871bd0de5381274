"""Reads CSV, JSON Lines and Parquet files as records, each a mapping of column to value."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_object, parse_json
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile
from studies.shared.limits import LIMITS, FileLimits, check_rows, check_size

_MOST_ROWS_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Record:
    """One row: its location and its values by column; an empty cell is None."""

    location: SourceLocation
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a file and its rows, in order, and notes for a person who imports it."""

    name: str
    columns: tuple[str, ...]
    records: Sequence[Record]
    notes: tuple[str, ...] = ()


def read_records(file: SourceFile, *, limits: FileLimits = LIMITS, refused: list[ImportFailed] | None = None) -> Table:
    """Read a table in the format of its file extension; raise ImportFailed if it is damaged or has no rows.

    With `refused`, errors of single rows are added to it, and the other rows are read.
    """
    suffix = Path(file.name).suffix.lower()
    if suffix not in _READERS:
        raise ImportFailed(file.name, f"must end in {', '.join(_READERS)} (or one of these and .gz)")
    found: list[ImportFailed] = []
    table = _READERS[suffix](file, limits, found)
    if found and refused is None:
        raise found[0]
    if refused is not None:
        refused += found
    if not table.records and not found:
        raise ImportFailed(file.name, "holds no rows")
    return table


def _read_csv(file: SourceFile, limits: FileLimits, refused: list[ImportFailed]) -> Table:
    rows = _split_csv(file, "\t" if file.name.lower().endswith((".tsv", ".tsv.gz")) else _find_delimiter(file))
    _, header = next(rows, (0, []))
    if not header:
        raise ImportFailed(SourceLocation(file.name, "line 1"), "must hold the names of the columns")
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise ImportFailed(SourceLocation(file.name, "line 1"), "must name each column once", got=twice)
    records = []
    for number, row in rows:
        location = SourceLocation(file.name, f"line {number}")
        check_rows(len(records) + len(refused) + 1, name=file.name, limits=limits)
        if len(row) != len(header):
            rule = f"must have {len(header)} columns ({', '.join(header)})"
            refused.append(ImportFailed(location, rule, got=Unquoted(f"{len(row)}")))
            continue
        records.append(Record(location, {name: value or None for name, value in zip(header, row, strict=True)}))
    return Table(file.name, tuple(header), records)


def _find_delimiter(file: SourceFile) -> str:
    """Return what separates the names of columns: a comma, or the semicolon or tab that is more frequent."""
    # Spreadsheets write semicolons where the comma is the decimal mark. Quoted names may contain any of them.
    header = re.sub(rb'"[^"]*"', b"", file.content.partition(b"\n")[0])
    return max((",", ";", "\t"), key=lambda mark: header.count(mark.encode()))


def _split_csv(file: SourceFile, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with its first line number; a quoted value may contain line breaks."""
    text = file.decode()
    # Split at line feeds only: other line-break characters in a value do not start a row.
    lines = text.split("\n")
    reader = csv.reader(
        (f"{line}\n" for line in (lines if lines[-1] else lines[:-1])), strict=True, delimiter=delimiter
    )
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            reason = (
                "a quotation mark is not closed; the file is truncated" if "unexpected end" in str(error) else error
            )
            raise ImportFailed(SourceLocation(file.name, f"line {number}"), f"must be CSV: {reason}") from error
        if row is None:
            return
        if row:
            yield number, row


def _read_jsonl(file: SourceFile, limits: FileLimits, refused: list[ImportFailed]) -> Table:
    records = []
    columns: dict[str, None] = {}
    for number, line in enumerate(file.decode().split("\n"), start=1):
        if line.strip():
            location = SourceLocation(file.name, f"line {number}")
            check_rows(len(records) + len(refused) + 1, name=file.name, limits=limits)
            try:
                values = check_object(parse_json(line, location), location, fields=())
            except ImportFailed as error:
                refused.append(error)
                continue
            columns.update(dict.fromkeys(values))
            records.append(Record(location, values))
    return Table(file.name, tuple(columns), records)


def _read_parquet(file: SourceFile, limits: FileLimits, _refused: list[ImportFailed]) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    records: list[Record] = []
    unpacked = 0
    try:
        with pq.ParquetFile(BytesIO(file.content)) as parquet:
            # Check before unpacking, since one packed value may represent millions of rows.
            check_rows(parquet.metadata.num_rows, name=file.name, limits=limits)
            columns = tuple(parquet.schema_arrow.names)
            declared = _sum_declared(parquet.metadata)
            check_size(declared, n_packed=len(file.content), name=file.name, limits=limits)
            # A row is at most as large as the declared total, so this many rows
            # fit within the limit; the actual size is checked while reading.
            at_once = min(_MOST_ROWS_AT_ONCE, max(1, limits.n_bytes // max(1, declared)))
            for batch in parquet.iter_batches(batch_size=at_once):
                unpacked += batch.nbytes
                check_size(unpacked, n_packed=unpacked, name=file.name, limits=limits)
                for row in batch.to_pylist():
                    records.append(Record(SourceLocation(file.name, f"record {len(records) + 1}"), row))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise ImportFailed(file.name, f"is not an intact Parquet file: {str(error).splitlines()[0]}") from error
    return Table(file.name, columns, records)


def _sum_declared(metadata: Any) -> int:
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    return sum(group.column(index).total_uncompressed_size for group in groups for index in range(group.num_columns))


_READERS: Final[Mapping[str, Callable[[SourceFile, FileLimits, list[ImportFailed]], Table]]] = MappingProxyType(
    {".csv": _read_csv, ".tsv": _read_csv, ".jsonl": _read_jsonl, ".parquet": _read_parquet}
)
ENDINGS: Final = tuple(_READERS)
