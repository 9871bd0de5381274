"""Readers of captions in CSV, JSON lines and Parquet with the columns `image_id` and `caption`."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path

from metrics_plugins.readers.records import CaptionFile, InputError, make_record
from metrics_plugins.readers.text import read_bytes, read_text

COLUMNS = ("image_id", "caption")


def read_csv(path: Path) -> CaptionFile:
    """Read a CSV file with a header; other columns are ignored.

    Raises:
        InputError: A column is missing or duplicate, a line has more or fewer fields than the header, or a quotation
            mark is not closed.
    """
    lines = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    records = []
    try:
        header = next(lines, [])
        _check_columns(header, path=path)
        number = lines.line_num + 1
        for fields in lines:
            where = f"{path}: line {number}"
            if fields and len(fields) != len(header):
                raise InputError(f"{where}: must have {len(header)} fields like the header, got {len(fields)}")
            if fields:
                records.append(make_record(dict(zip(header, fields, strict=True)), number=number, where=where))
            number = lines.line_num + 1
    except csv.Error as error:
        raise InputError(f"{path}: line {lines.line_num}: must be CSV, got: {error}") from error
    return CaptionFile(path=path, unit="line", records=tuple(records))


def read_json_lines(path: Path) -> CaptionFile:
    """Read one JSON object per line; empty lines are skipped.

    Raises:
        InputError: A line is not a JSON object with both fields.
    """
    records = []
    # Only "\n" ends a line: str.splitlines would also split at U+2028, which JSON allows in strings.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}: line {number}"
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: must be a JSON object, got: {error}") from error
        records.append(make_record(fields, number=number, where=where))
    return CaptionFile(path=path, unit="line", records=tuple(records))


def read_parquet(path: Path) -> CaptionFile:
    """Read a Parquet file; other columns are ignored.

    Raises:
        InputError: The file is not a complete Parquet file, or a column is missing.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(read_bytes(path)))
        _check_columns(file.schema_arrow.names, path=path)
        rows = file.read(columns=list(COLUMNS)).to_pylist()
    except pa.ArrowException as error:
        raise InputError(f"{path}: must be a complete Parquet file, got: {error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: captions and image ids must be UTF-8, got: {error}") from error
    records = (
        make_record(fields, number=number, where=f"{path}: row {number}") for number, fields in enumerate(rows, start=1)
    )
    return CaptionFile(path=path, unit="row", records=tuple(records))


def _check_columns(names: Sequence[str], *, path: Path) -> None:
    for column in COLUMNS:
        if names.count(column) != 1:
            fault = "twice" if column in names else "not at all"
            listed = ", ".join(names) or "none"
            raise InputError(f"{path}: column {column!r} must occur once, got it {fault} (columns: {listed})")
