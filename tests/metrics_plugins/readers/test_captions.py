"""Tests of one caption file in every format, and of names without a known extension."""

import csv
import gzip
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_plugins.readers import InputError, read_captions

ROWS = [(7, 'a dog, "Rex", runs'), (7, ""), (12, "line\nbreak and \u2028 é 猫")]
FIELDS = [{"image_id": image_id, "caption": caption} for image_id, caption in ROWS]


def _make_csv() -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([("score", "image_id", "caption"), *((0.5, *row) for row in ROWS)])
    return text.getvalue().encode()


def _make_parquet() -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{"other": 1} | fields for fields in FIELDS]), buffer)
    return buffer.getvalue()


JSON_LINES = "".join(json.dumps(fields, ensure_ascii=False) + "\n" for fields in FIELDS).encode()
ANNOTATIONS = {"images": [{"id": 7}, {"id": 12}, {"id": 9}], "annotations": FIELDS, "type": "captions"}

FILES = {
    "results.json": (json.dumps(FIELDS).encode(), "record", [1, 2, 3]),
    "results.json.gz": (gzip.compress(json.dumps(FIELDS).encode()), "record", [1, 2, 3]),
    "bom.json": (b"\xef\xbb\xbf" + json.dumps(FIELDS, ensure_ascii=False).encode(), "record", [1, 2, 3]),
    "annotations.json": (json.dumps(ANNOTATIONS).encode(), "annotation", [1, 2, 3]),
    "lines.jsonl": (JSON_LINES.replace(b"\n", b"\n\n", 1), "line", [1, 3, 4]),
    "lines.jsonl.gz": (gzip.compress(JSON_LINES), "line", [1, 2, 3]),
    "table.csv": (_make_csv(), "line", [2, 3, 4]),
    "table.csv.gz": (gzip.compress(_make_csv()), "line", [2, 3, 4]),
    "table.parquet": (_make_parquet(), "row", [1, 2, 3]),
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_captions(name: str, tmp_path: Path) -> None:
    content, unit, numbers = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)

    file = read_captions(path)

    assert [(record.image_id, record.caption) for record in file.records] == [
        (str(image_id), caption) for image_id, caption in ROWS
    ]
    assert [record.number for record in file.records] == numbers
    assert (file.path, file.unit) == (path, unit)
    assert file.image_ids == (frozenset({"7", "12", "9"}) if name == "annotations.json" else None)


@pytest.mark.parametrize("name", ["captions.yaml", "captions", "captions.parquet.gz", "captions.gz"])
def test_unknown_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        read_captions(tmp_path / name)

    assert str(raised.value) == (
        f"{tmp_path / name}: the name must end in .json, .jsonl, .csv, .parquet, .txt "
        "(compressed: .json.gz, .jsonl.gz, .csv.gz, .txt.gz)"
    )


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", b"[]"), ("a.json", b'{"annotations": []}'), ("a.jsonl", b"\n"), ("a.csv", b"image_id,caption\n")],
)
def test_file_without_captions_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(InputError) as raised:
        read_captions(path)

    assert str(raised.value) == f"{path}: must hold captions, got none"
