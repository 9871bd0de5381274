"""Tests of CSV, JSON Lines and Parquet."""

from io import BytesIO
from typing import Any

import pytest

from studies.datasets.importing.files.table_files import read_records
from studies.shared.errors import ImportFailed
from studies.shared.files import SourceFile
from studies.shared.limits import FileLimits


def read(name: str, content: bytes) -> list[tuple[str, dict[str, Any]]]:
    return [(record.location.record, dict(record.values)) for record in read_records(SourceFile(name, content)).records]


def pack_parquet(values: list[Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = BytesIO()
    pq.write_table(pa.table({"a": values}), stream)
    return stream.getvalue()


def test_csv_values_may_hold_line_breaks() -> None:
    content = 'a,b\n"one\ntwo",x\u2028\x85y\n\n3,"say ""hi"""\n4,'.encode()

    assert read("t.csv", content) == [
        ("line 2", {"a": "one\ntwo", "b": "x\u2028\x85y"}),
        ("line 5", {"a": "3", "b": 'say "hi"'}),
        ("line 6", {"a": "4", "b": None}),
    ]


def test_csv_may_come_from_windows() -> None:
    assert read("t.csv", b"\xef\xbb\xbfa,b\r\n1,2\r\n") == [("line 2", {"a": "1", "b": "2"})]


def test_reads_json_lines() -> None:
    content = '{"a": 1}\n\n{"b": "x\u2028y"}'.encode()

    assert read("t.jsonl", content) == [("line 1", {"a": 1}), ("line 3", {"b": "x\u2028y"})]


def test_reads_parquet() -> None:
    assert read("t.parquet", pack_parquet(["x", None])) == [("record 1", {"a": "x"}), ("record 2", {"a": None})]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.csv", b"", "t.csv, line 1: must hold the names of the columns"),
        ("t.csv", b"a,b\n", "t.csv: holds no rows"),
        ("t.csv", b"a,b,a\n1,2,3\n", "t.csv, line 1: must name each column once, got 'a'"),
        ("t.csv", b"a,b\n1,2\n3\n", "t.csv, line 3: must have 2 columns (a, b), got 1"),
        ("t.csv", b"a,b\n1,2,3\n", "t.csv, line 2: must have 2 columns (a, b), got 3"),
        (
            "t.csv",
            b'a,b\n1,2\n3,"four\n',
            "t.csv, line 3: must be CSV: a quotation mark is not closed; the file is truncated",
        ),
        ("t.csv", b'a,b\n1,"x"y\n', "t.csv, line 2: must be CSV: ',' expected after '\"'"),
        ("t.csv", b"a,b\n1,x\xff\n", "t.csv, line 2: must be valid UTF-8, got the byte 0xff"),
        ("t.jsonl", b'{"a": 1}\n{"a": ', "t.jsonl, line 2, column 7: the JSON is truncated"),
        ("t.jsonl", b"[1]\n", "t.jsonl, line 1: must be an object, got a list"),
        ("t.jsonl", b"\n", "t.jsonl: holds no rows"),
        ("t.xlsx", b"", "t.xlsx: must end in .csv, .tsv, .jsonl, .parquet (or one of these and .gz)"),
    ],
)
def test_refuses_a_bad_table(name: str, content: bytes, message: str) -> None:
    with pytest.raises(ImportFailed) as caught:
        read(name, content)
    assert str(caught.value) == message


def test_a_bare_carriage_return_is_refused_not_a_row() -> None:
    with pytest.raises(ImportFailed, match=r"^t\.csv, line 2: must be CSV: new-line character seen in unquoted field"):
        read("t.csv", b"a,b\n1,x\ry\n")


@pytest.mark.parametrize("keep", [0, 3, 40, -1, -20])
def test_refuses_cut_parquet(keep: int) -> None:
    with pytest.raises(ImportFailed, match=r"^t\.parquet: is not an intact Parquet file: "):
        read("t.parquet", pack_parquet(["x"] * 100)[:keep])


def test_refuses_a_parquet_bomb() -> None:
    # One megabyte, named sixty times by its number in a dictionary.
    content = pack_parquet(["x" * (1 << 20)] * 60)

    assert len(content) < 200_000
    with pytest.raises(ImportFailed, match=r"^t\.parquet: may hold at most 33,554,432 bytes decompressed, got "):
        read_records(SourceFile("t.parquet", content), limits=FileLimits(n_bytes=32 << 20))


def test_refuses_parquet_that_declares_too_much() -> None:
    content = pack_parquet(["x" * (1 << 20)])

    with pytest.raises(ImportFailed, match=r"^t\.parquet: may decompress to at most 5 times its size \("):
        read_records(SourceFile("t.parquet", content), limits=FileLimits(ratio=5, ratio_floor=1_000))


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_delimiter_is_recognised_from_the_names_of_columns(mark) -> None:
    content = f'image{mark}"a, b; c\td"\n1{mark}"Yes, it is; so."\n'.encode()

    assert read("t.csv", content) == [("line 2", {"image": "1", "a, b; c\td": "Yes, it is; so."})]


def test_tsv_has_tabs_whatever_its_names_contain() -> None:
    assert read("t.tsv", b"a,b,c\td\n1\t2\n") == [("line 2", {"a,b,c": "1", "d": "2"})]
