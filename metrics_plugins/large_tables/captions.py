"""Tables of captions in Parquet: one file or a folder of files, read in batches of rows and checked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from metrics_plugins.large_tables.storage import Storage, find_storage
from metrics_plugins.readers import InputError

IMAGE: Final = "image_id"
CAPTION: Final = "caption"
REQUIRED: Final = (IMAGE, CAPTION)
PASSED_ON: Final = ("key", "system")
"""Columns of candidates that are not needed for scoring, and are written beside the scores."""

_BUFFER: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class TableFile:
    """A file of a table.

    Attributes:
        name: The name in the folder of the table; empty if the table is one file.
        address: The path or URL, for messages.
        group_starts: `(n_groups + 1,)`: the first row of each row group, and the number of rows.
        digest: The SHA-256 of the file.
    """

    name: str
    address: str
    group_starts: tuple[int, ...]
    digest: str

    @property
    def n_rows(self) -> int:
        return self.group_starts[-1]

    def find_groups(self, rows: range) -> range:
        """Return the row groups that rows, of which there is at least one, are in."""
        first, last = np.searchsorted(self.group_starts, [rows.start, rows.stop - 1], side="right") - 1
        return range(int(first), int(last) + 1)

    def name_row(self, row: int) -> str:
        """Return the place of a row, which is counted from 0, for messages, which count from 1."""
        group = int(np.searchsorted(self.group_starts, row, side="right")) - 1
        return f"{self.address}: row group {group + 1}, row {row - self.group_starts[group] + 1}"

    def refuse(self, row: int, *, column: str, rule: str) -> InputError:
        """Return the error about a cell."""
        return InputError(f"{self.name_row(row)}: column {column!r}: {rule}")


@dataclass(frozen=True, slots=True)
class CaptionTable:
    """A table of captions, whose rows are those of its files by name.

    Attributes:
        storage: The file or folder.
        files: The files in the order of their names.
        columns: The columns that are read: `image_id`, `caption`, and those of `PASSED_ON` that the files have.
    """

    storage: Storage
    files: tuple[TableFile, ...]
    columns: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        return sum(file.n_rows for file in self.files)

    def read_batches(self, file: TableFile, *, size: int) -> Iterator[pa.Table]:
        """Yield all rows of a file in tables of at most `size` rows, with all columns as text.

        Args:
            file: One of the files.
            size: The largest number of rows of a table.

        Raises:
            InputError: A cell is invalid, or the file cannot be read.
        """
        for _, part in self._read_groups(file, range(len(file.group_starts) - 1), size=size):
            yield part

    def read_ranges(self, file: TableFile, ranges: Sequence[range], *, size: int) -> Iterator[Iterator[pa.Table]]:
        """Yield, for each range of rows, tables of `size` rows with all columns as text; the last may have fewer.

        Each row group with such rows is decoded once, however many ranges share it, so that the tables of a range must
        be taken before the next range. They depend only on the range and `size`, not on row groups or other ranges.

        Args:
            file: One of the files.
            ranges: Rows of the file: ascending, none empty, without common rows.
            size: The largest number of rows of a table.

        Raises:
            InputError: A cell is invalid, or the file cannot be read.
        """
        groups = sorted({group for rows in ranges for group in file.find_groups(rows)})
        read = _Rows(self._read_groups(file, groups, size=size))
        for rows in ranges:
            yield (read.take(rows[start : start + size]) for start in range(0, len(rows), size))

    def _read_groups(self, file: TableFile, groups: Sequence[int], *, size: int) -> Iterator[tuple[int, pa.Table]]:
        """Yield the first row, and rows from it on, until all rows of these row groups were yielded."""
        with reading_parquet(file.address), self.storage.open(file.name) as opened:
            # Without buffers of their own, the chunks of columns would be read whole.
            parquet = pq.ParquetFile(opened, buffer_size=_BUFFER, pre_buffer=False)
            for run in _join_neighbours(groups):
                row = file.group_starts[run[0]]
                wanted = list(self.columns)
                for batch in parquet.iter_batches(batch_size=size, row_groups=run, columns=wanted, use_threads=False):
                    yield row, pa.table({name: _read_column(batch.column(name), name, file, row) for name in wanted})
                    row += len(batch)


class _Rows:
    """Rows of a file, of which ranges are taken in ascending order."""

    def __init__(self, parts: Iterator[tuple[int, pa.Table]]) -> None:
        self._parts = parts
        self._start, self._part = next(parts)

    def take(self, rows: range) -> pa.Table:
        taken, row = [], rows.start
        while row < rows.stop:
            place = row - self._start
            if place >= len(self._part):
                self._start, self._part = next(self._parts)
                continue
            taken.append(self._part.slice(place, rows.stop - row))
            row += len(taken[-1])
        return pa.concat_tables(taken).combine_chunks()


def _join_neighbours(groups: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for group in groups:
        if runs and runs[-1][-1] == group - 1:
            runs[-1].append(group)
        else:
            runs.append([group])
    return runs


def open_table(address: str, *, passes_on: bool = False) -> CaptionTable:
    """Return a table after reading the descriptions of its files, and digesting these.

    Args:
        address: A Parquet file, or a folder with such files, also in folders below it; a path or URL. Names that begin
            with a dot or an underscore are passed over.
        passes_on: Whether to read the columns of `PASSED_ON` as well.

    Raises:
        InputError: There is no file, a file cannot be read, lacks a column or has one of another type, the files have
            different columns, or the table has no rows.
    """
    storage = find_storage(address)
    names = storage.list_names(".parquet") if storage.is_folder() else [""]
    if not names:
        raise InputError(f"{address}: must hold files whose names end in .parquet, got none")
    optional = PASSED_ON if passes_on else ()
    files, columns = [], dict[str, tuple[str, ...]]()
    for name in names:
        where = storage.locate(name)
        with reading_parquet(where), storage.open(name) as opened:
            parquet = pq.ParquetFile(opened)
            columns[where] = _check_schema(parquet.schema_arrow, optional=optional, where=where)
            sizes = [parquet.metadata.row_group(group).num_rows for group in range(parquet.num_row_groups)]
            starts = (0, *np.cumsum(sizes, dtype=np.int64).tolist())
        files.append(TableFile(name, where, starts, storage.digest(name)))
    first, *others = columns
    for where in others:
        if columns[where] != columns[first]:
            wanted, found = ", ".join(columns[first]), ", ".join(columns[where])
            raise InputError(f"{where}: must have the columns of {first}, {wanted}: got {found}")
    table = CaptionTable(storage, tuple(files), columns[first])
    if not table.n_rows:
        raise InputError(f"{address}: must hold captions, got none")
    return table


@contextmanager
def reading_parquet(where: str) -> Iterator[None]:
    """Raise `InputError` with the address `where` for a Parquet file that cannot be read."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError(f"{where}: there is no such file or folder") from error
    except pa.ArrowException as error:
        raise InputError(f"{where}: must be a complete Parquet file, got: {error}") from error
    except OSError as error:
        raise InputError(f"{where}: cannot be read: {error.strerror or error}") from error


def _check_schema(schema: pa.Schema, *, optional: Sequence[str], where: str) -> tuple[str, ...]:
    for name in REQUIRED:
        count = schema.names.count(name)
        if count != 1:
            fault = "twice" if count else "not at all"
            listed = ", ".join(schema.names) or "none"
            raise InputError(f"{where}: column {name!r} must occur once, got it {fault} (columns: {listed})")
    columns = (*REQUIRED, *(name for name in optional if schema.names.count(name) == 1))
    for name in columns:
        kind = schema.field(name).type
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        is_text = pa.types.is_string(plain) or pa.types.is_large_string(plain)
        if not is_text and (name == CAPTION or not pa.types.is_integer(plain)):
            rule = "text" if name == CAPTION else "text or whole numbers"
            raise InputError(f"{where}: column {name!r} must be of {rule}, got {kind}")
    return columns


def _read_column(column: pa.Array, name: str, file: TableFile, first_row: int) -> pa.Array:
    if column.null_count:
        row = first_row + int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        raise file.refuse(row, column=name, rule="must not be null")
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    texts = (
        plain.cast(pa.string(), safe=False)
        if pa.types.is_integer(plain.type)
        else _check_text(plain, name, file, first_row)
    )
    if name != CAPTION:
        empty = np.flatnonzero(pc.equal(texts, "").to_numpy(zero_copy_only=False))
        if len(empty):
            raise file.refuse(first_row + int(empty[0]), column=name, rule="must not be empty")
    return texts


def _check_text(texts: Any, name: str, file: TableFile, first_row: int) -> pa.Array:
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid as error:
        for place, value in enumerate(texts):
            try:
                value.as_py()
            except UnicodeDecodeError as fault:
                rule = f"must be UTF-8, got {fault}"
                raise file.refuse(first_row + place, column=name, rule=rule) from error
        raise
    return texts.cast(pa.string())
