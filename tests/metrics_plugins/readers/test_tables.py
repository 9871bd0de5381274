"""Tests of errors in tables, which name the line or the row."""

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_plugins.readers import InputError, read_captions


def _make_parquet(columns: dict) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.csv",
            b"image,caption\n1,a\n",
            "column 'image_id' must occur once, got it not at all (columns: image, ",
        ),
        ("a.csv", b"image_id,caption,caption\n1,a,b\n", "column 'caption' must occur once, got it twice (columns: "),
        ("a.csv", b"\nimage_id,caption\n", "column 'image_id' must occur once, got it not at all (columns: none)"),
        ("a.csv", b"image_id,caption\n1,a\n2,b,c\n", "line 3: must have 2 fields like the header, got 3"),
        ("a.csv", b'image_id,caption\n1,"a\nb"\n2\n', "line 4: must have 2 fields like the header, got 1"),
        (
            "a.csv",
            b"image_id,caption\n1,a\n,b\n",
            "line 3: field 'image_id': must be a whole number or a text",
        ),
        ("a.csv", b'image_id,caption\n1,"a\n', "line 2: must be CSV, got: unexpected end of data"),
        ("a.csv", b"image_id,caption\n1," + b"a" * 200_000, "line 2: must be CSV, got: field larger than field limit"),
        (
            "a.jsonl",
            b'{"image_id": 1, "caption": "a"}\n{"image_id": 2,',
            "line 2: must be a JSON object, got: ",
        ),
        ("a.jsonl", b"[1]\n", "line 1: must be an object with the fields 'image_id' and 'caption', got [1]"),
        ("a.jsonl", b'\n{"image_id": 2}\n', "line 2: field 'caption' is missing (it has: image_id)"),
        ("a.parquet", b"PAR1 and no more", "must be a complete Parquet file, got: "),
        ("a.parquet", b"", "must hold captions, got an empty file"),
        (
            "a.parquet",
            _make_parquet({"image_id": [1]}),
            "column 'caption' must occur once, got it not at all",
        ),
        (
            "a.parquet",
            _make_parquet({"image_id": [1, None], "caption": ["a", "b"]}),
            "row 2: field 'image_id': must be a whole number or a text that is not empty, got null",
        ),
        (
            "a.parquet",
            _make_parquet({"image_id": [1.0], "caption": ["a"]}),
            "row 1: field 'image_id': must be a whole number or a text that is not empty, got 1.0",
        ),
        ("a.parquet", _make_parquet({"image_id": [1], "caption": [7]}), "row 1: field 'caption': must be text, got 7"),
        (
            "a.parquet",
            _make_parquet({"image_id": [1], "caption": pa.array([b"\xff"]).view(pa.string())}),
            "captions and image ids must be UTF-8, got: ",
        ),
    ],
)
def test_place_and_rule_are_named(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputError) as raised:
        read_captions(path)

    assert str(raised.value).startswith(f"{path}: {message}")


def test_truncated_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(_make_parquet({"image_id": [1], "caption": ["a"]})[:-20])

    with pytest.raises(InputError, match="must be a complete Parquet file"):
        read_captions(path)


def test_empty_lines_of_csv_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("image_id,caption\n\n1,a\n\n")

    assert [(record.number, record.caption) for record in read_captions(path).records] == [(3, "a")]
