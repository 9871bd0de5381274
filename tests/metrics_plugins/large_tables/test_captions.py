"""Tests of reading tables of captions in batches, and of the errors about their cells."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_plugins.large_tables.captions import open_table
from metrics_plugins.readers import InputError
from tests.metrics_plugins.large_tables.tables import write_table


def read(address: Path, *, size: int = 7) -> list[dict]:
    table = open_table(str(address), passes_on=True)
    return [row for file in table.files for part in table.read_batches(file, size=size) for row in part.to_pylist()]


def read_ranges(address: Path, ranges: Sequence[range], *, size: int) -> list[list[pa.Table]]:
    table = open_table(str(address))
    return [list(parts) for parts in table.read_ranges(table.files[0], ranges, size=size)]


def test_files_of_a_folder_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    write_table(tmp_path / "b.parquet", {"image_id": ["3"], "caption": ["c"]})
    write_table(tmp_path / "a" / "x.parquet", {"image_id": ["1", "2"], "caption": ["a", ""]})
    write_table(tmp_path / "_old" / "x.parquet", {"image_id": ["9"], "caption": ["z"]})
    write_table(tmp_path / ".c.parquet", {"image_id": ["8"], "caption": ["y"]})

    rows = read(tmp_path)

    assert [(row["image_id"], row["caption"]) for row in rows] == [("1", "a"), ("2", ""), ("3", "c")]
    assert open_table(str(tmp_path)).n_rows == 3


RANGES = [
    [range(20)],
    [range(3, 4)],
    [range(4, 11)],
    [range(19, 20)],
    [range(6), range(6, 12), range(12, 20)],
    [range(1, 3), range(7, 9), range(17, 20)],
]


@pytest.mark.parametrize("rows_per_group", [1, 4, 20])
@pytest.mark.parametrize("ranges", RANGES)
def test_ranges_are_read_in_tables_of_their_own_across_row_groups(
    ranges: list[range], rows_per_group: int, tmp_path: Path
) -> None:
    columns = {"image_id": list(range(20)), "caption": [f"c{number}" for number in range(20)]}
    path = write_table(tmp_path / "c.parquet", columns, rows_per_group=rows_per_group)

    found = read_ranges(path, ranges, size=3)

    assert [[part["caption"].to_pylist() for part in parts] for parts in found] == [
        [[f"c{number}" for number in rows[start : start + 3]] for start in range(0, len(rows), 3)] for rows in ranges
    ]
    # Their layout in memory must not depend on row groups, since that of written files does.
    assert {part.column(0).num_chunks for parts in found for part in parts} == {1}


def test_a_row_group_is_decoded_once_for_all_ranges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"image_id": list(range(20)), "caption": [f"c{number}" for number in range(20)]}
    path = write_table(tmp_path / "c.parquet", columns, rows_per_group=8)
    decoded: list[int] = []
    iter_batches = pq.ParquetFile.iter_batches

    def note_groups(file: pq.ParquetFile, **options: Any) -> Iterator[pa.RecordBatch]:
        decoded.extend(options["row_groups"])
        return iter_batches(file, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", note_groups)

    read_ranges(path, [range(2), range(2, 4), range(6, 7), range(16, 18), range(18, 20)], size=3)

    assert decoded == [0, 2]


def test_texts_may_be_large_or_numbered_and_ids_whole_numbers(tmp_path: Path) -> None:
    columns = {
        "image_id": pa.array([7, 2**40], pa.int64()),
        "caption": pa.array(["a", "b"], pa.large_string()),
        "system": pa.array(["m", "m"]).dictionary_encode(),
    }
    path = write_table(tmp_path / "c.parquet", columns)

    assert read(path) == [
        {"image_id": "7", "caption": "a", "system": "m"},
        {"image_id": str(2**40), "caption": "b", "system": "m"},
    ]


BAD_CELLS = [
    ({"caption": ["x", None]}, "column 'caption': must not be null"),
    ({"image_id": ["1", None]}, "column 'image_id': must not be null"),
    ({"image_id": ["1", ""]}, "column 'image_id': must not be empty"),
    ({"system": ["m", None]}, "column 'system': must not be null"),
    (
        {"caption": pa.array([b"x", b"\xff"], pa.binary()).view(pa.string())},
        "column 'caption': must be UTF-8, got 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    ),
]


@pytest.mark.parametrize(("changed", "rule"), BAD_CELLS)
def test_error_names_file_row_group_row_column_and_rule(changed: dict, rule: str, tmp_path: Path) -> None:
    columns = {"image_id": ["1", "2"], "caption": ["x", "y"], "system": ["m", "n"]}
    good, bad = pa.table(columns), pa.table(columns | changed)
    path = tmp_path / "c.parquet"
    with pq.ParquetWriter(path, good.schema) as writer:
        writer.write_table(good, row_group_size=2)
        writer.write_table(bad.cast(good.schema, safe=False), row_group_size=2)

    with pytest.raises(InputError) as caught:
        read(path)

    assert str(caught.value) == f"{path}: row group 2, row 2: {rule}"


BAD_TABLES = [
    ({"image_id": ["1"]}, "column 'caption' must occur once, got it not at all (columns: image_id)"),
    ({"image_id": ["1"], "caption": [3]}, "column 'caption' must be of text, got int64"),
    ({"image_id": [1.5], "caption": ["x"]}, "column 'image_id' must be of text or whole numbers, got double"),
]


@pytest.mark.parametrize(("columns", "rule"), BAD_TABLES)
def test_columns_are_checked_before_rows_are_read(columns: dict, rule: str, tmp_path: Path) -> None:
    path = write_table(tmp_path / "c.parquet", columns)

    with pytest.raises(InputError) as caught:
        open_table(str(path))

    assert str(caught.value) == f"{path}: {rule}"


def test_files_must_have_the_same_columns(tmp_path: Path) -> None:
    write_table(tmp_path / "a.parquet", {"image_id": ["1"], "caption": ["x"], "system": ["m"]})
    write_table(tmp_path / "b.parquet", {"image_id": ["1"], "caption": ["x"]})

    with pytest.raises(
        InputError, match=r"b\.parquet: must have the columns of .*a\.parquet, image_id, caption, system"
    ):
        open_table(str(tmp_path), passes_on=True)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.parquet").write_bytes(b"PAR1 something else")
    (tmp_path / "empty").mkdir()
    write_table(
        tmp_path / "none.parquet", {"image_id": pa.array([], pa.string()), "caption": pa.array([], pa.string())}
    )

    for name, message in {
        "c.parquet": "must be a complete Parquet file",
        "empty": "must hold files whose names end in .parquet, got none",
        "none.parquet": "must hold captions, got none",
        "absent.parquet": "there is no such file or folder",
    }.items():
        with pytest.raises(InputError, match=f"{name}: {message}"):
            open_table(str(tmp_path / name))
