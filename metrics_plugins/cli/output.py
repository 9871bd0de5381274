"""Print score rows as JSON lines, or write them atomically to a file."""

import argparse
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from execution.whole_files import write_whole
from metrics_plugins.api import Level
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.text.csv_lines import format_csv

COLUMNS = ("metric", "level", "system", "row", "key", "value")


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score.

    Attributes:
        metric: The metric's id.
        level: What the score refers to.
        system: The name of the file of candidates.
        row: The number of the candidate in its file, from 1, or of the first candidate of a caption set; None for the
            score of the whole corpus.
        key: The image id; None for the score of the whole corpus.
        value: The score; NaN if undefined, which is written as null (empty in CSV).
    """

    metric: str
    level: Level
    system: str
    row: int | None
    key: str | None
    value: float


def add_json_option(parser: "argparse.ArgumentParser | argparse._MutuallyExclusiveGroup") -> None:
    """Add `--json` for a command that prints one object."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def print_rows(rows: Iterable[ScoreRow]) -> None:
    """Print one JSON object per line to standard output."""
    sys.stdout.write(_format_json_lines(rows))


def print_object(rows: Iterable[ScoreRow], *, signatures: Mapping[str, str]) -> None:
    """Print one JSON object with all rows, and the signature of each metric."""
    sys.stdout.write(json.dumps({"rows": [_make_record(row) for row in rows], "signatures": dict(signatures)}) + "\n")


def indent_lines(message: str) -> str:
    """Return a message with single blanks, in which only lines that begin with blanks begin new lines.

    These name places in the files of a plugin, and rows; all other line breaks come from what the message quotes.
    """
    lines: list[str] = []
    for line in message.split("\n"):
        text = " ".join(line.split())
        if lines and not line.startswith("  "):
            lines[-1] = f"{lines[-1]} {text}".rstrip()
        else:
            lines.append(f"  {text}" if lines else text)
    return "\n".join(lines)


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
    write_out(path, _FORMATS[path.suffix](rows))


def write_out(path: Path, content: bytes) -> None:
    """Write the file of `--out`, which appears when it is complete.

    Raises:
        UsageError: The file cannot be written.
    """
    try:
        write_whole(path, content)
    except OSError as error:
        raise UsageError(f"--out {path} cannot be written: {error.strerror or error}") from error


def _format_json_lines(rows: Iterable[ScoreRow]) -> str:
    return "".join(json.dumps(_make_record(row)) + "\n" for row in rows)


def _make_record(row: ScoreRow) -> dict[str, object]:
    return asdict(row) | {"value": _drop_undefined(row.value)}


def _format_csv(rows: Iterable[ScoreRow]) -> str:
    return format_csv(COLUMNS, ((row.metric, row.level.value, row.system, row.row, row.key, row.value) for row in rows))


def _format_parquet(rows: Sequence[ScoreRow]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"row": pa.int64(), "value": pa.float64()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
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
