"""Streaming writers of JSONL and Parquet, whose memory use does not depend on the number of rows."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from math import isnan
from typing import Any, Final

AT_ONCE: Final = 10_000


def write_jsonl(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield one JSON object per line; missing and undefined values are null, times ISO 8601 in UTC, floats exact."""
    for row in rows:
        record = {name: _to_json(value) for name, value in zip(columns, row, strict=True)}
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def write_parquet(columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield the bytes of a Parquet file, a row group at a time.

    Args:
        columns: Name -> `text`, `float`, `int`, `bool`, `texts`, `time`, or `json` for values written as JSON text.
        rows: The values of each row, in the order of the columns.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {
        "text": pa.string(),
        "json": pa.string(),
        "float": pa.float64(),
        "int": pa.int64(),
        "bool": pa.bool_(),
        "texts": pa.list_(pa.string()),
        "time": pa.timestamp("us", tz="UTC"),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in columns.items()])
    as_json = [place for place, kind in enumerate(columns.values()) if kind == "json"]
    sink = _Drain()
    remaining = iter(rows)
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        while batch := [list(row) for row in islice(remaining, AT_ONCE)]:
            for row in batch:
                for place in as_json:
                    row[place] = _print_json(row[place])
            columns_read = zip(zip(*batch, strict=True), schema, strict=True)
            arrays = [pa.array(values, type=each.type) for values, each in columns_read]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=AT_ONCE)
            yield sink.drain()
    yield sink.drain()


class _Drain:
    """A write-only file whose content so far can be taken out in parts."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._n_bytes = 0
        self.closed = False

    def write(self, content: Any) -> int:
        self._parts.append(bytes(content))
        self._n_bytes += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        return self._n_bytes

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        self.closed = True

    def drain(self) -> bytes:
        content = b"".join(self._parts)
        self._parts.clear()
        return content


def _to_json(value: Any) -> Any:
    if isinstance(value, float) and isnan(value):
        return None
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _print_json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
