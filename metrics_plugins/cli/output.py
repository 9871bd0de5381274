"""Print score rows as JSON lines, or write them atomically to a file."""

import io
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from metrics_plugins.api import Level
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.text.csv_lines import format_csv

COLUMNS = ("metric", "level", "key", "value")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score.

    Attributes:
        metric: The metric's id.
        level: What the score refers to.
        key: The image id; None for the score of the whole corpus.
        value: The score; NaN if undefined, which is written as null (empty in CSV).
    """

    metric: str
    level: Level
    key: str | None
    value: float


def print_rows(rows: Iterable[ScoreRow]) -> None:
    """Print one JSON object per line to standard output."""
    sys.stdout.write(_format_json_lines(rows))


def check_output(path: Path) -> None:
    """Raise `UsageError` if a file of rows with this name could not be written."""
    check_place(path, endings=tuple(_FORMATS))


def check_place(path: Path, *, endings: Sequence[str]) -> None:
    """Raise `UsageError` if a file name has another extension, or the file could not be written."""
    if path.suffix not in endings:
        raise UsageError(f"--out must end in {', '.join(endings)}, got {path}")
    if not path.parent.is_dir():
        raise UsageError(f"--out must lie in an existing folder, got {path}")
    if path.is_dir():
        raise UsageError(f"--out must be a file, got the folder {path}")


def write_rows(path: Path, rows: Sequence[ScoreRow]) -> None:
    """Write rows in the format given by the file's extension.

    Raises:
        UsageError: The file cannot be written.
    """
    write_whole(path, _FORMATS[path.suffix](rows))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it when it is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    except OSError as error:
        raise UsageError(f"--out {path} cannot be written: {error.strerror or error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _format_json_lines(rows: Iterable[ScoreRow]) -> str:
    return "".join(json.dumps(asdict(row) | {"value": _drop_undefined(row.value)}) + "\n" for row in rows)


def _format_csv(rows: Iterable[ScoreRow]) -> str:
    return format_csv(COLUMNS, ((row.metric, row.level.value, row.key, row.value) for row in rows))


def _format_parquet(rows: Sequence[ScoreRow]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("metric", pa.string()), ("level", pa.string()), ("key", pa.string()), ("value", pa.float64())])
    table = pa.Table.from_pylist([asdict(row) | {"value": _drop_undefined(row.value)} for row in rows], schema=schema)
    buffer = io.BytesIO()
    pq.write_table(table, buffer)
    return buffer.getvalue()


def _drop_undefined(value: float) -> float | None:
    # JSON cannot represent NaN or infinity.
    return value if math.isfinite(value) else None


_FORMATS: dict[str, Callable[[Sequence[ScoreRow]], bytes]] = {
    ".csv": lambda rows: _format_csv(rows).encode(),
    ".jsonl": lambda rows: _format_json_lines(rows).encode(),
    ".parquet": _format_parquet,
}
