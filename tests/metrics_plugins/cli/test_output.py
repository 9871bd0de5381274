"""Tests of rows in every format, and of files that are written completely or not at all."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from metrics_plugins.api import Level
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.cli.output import ScoreRow, check_output, print_rows, write_rows

ROWS = [
    ScoreRow(metric="m", level=Level.SEGMENT, system="s", row=1, key="é,1", value=0.1 + 0.2),
    ScoreRow(metric="m", level=Level.SET, system="s", row=2, key="2", value=float("nan")),
    ScoreRow(metric="m", level=Level.CORPUS, system="s", row=None, key=None, value=float("-inf")),
]
OBJECTS = [
    {"metric": "m", "level": "segment", "system": "s", "row": 1, "key": "é,1", "value": 0.30000000000000004},
    {"metric": "m", "level": "set", "system": "s", "row": 2, "key": "2", "value": None},
    {"metric": "m", "level": "corpus", "system": "s", "row": None, "key": None, "value": None},
]


def test_rows_print_as_json_lines(capsys) -> None:
    print_rows(ROWS)

    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == OBJECTS


def test_json_lines(tmp_path: Path) -> None:
    write_rows(tmp_path / "out.jsonl", ROWS)

    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == OBJECTS


def test_csv_leaves_fields_without_value_empty(tmp_path: Path) -> None:
    write_rows(tmp_path / "out.csv", ROWS)

    with (tmp_path / "out.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["metric", "level", "system", "row", "key", "value"],
            ["m", "segment", "s", "1", "é,1", "0.30000000000000004"],
            ["m", "set", "s", "2", "2", ""],
            ["m", "corpus", "s", "", "", ""],
        ]


def test_parquet(tmp_path: Path) -> None:
    write_rows(tmp_path / "out.parquet", ROWS)

    table = pq.read_table(tmp_path / "out.parquet")
    assert table.to_pylist() == OBJECTS
    assert [str(field.type) for field in table.schema] == ["string", "string", "string", "int64", "string", "double"]


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.parquet"])
def test_no_rows_make_a_file_all_the_same(name: str, tmp_path: Path) -> None:
    write_rows(tmp_path / name, [])

    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_file_that_cannot_be_put_in_place_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "out.csv").mkdir()

    with pytest.raises(UsageError, match=r"--out .*out.csv cannot be written: Is a directory"):
        write_rows(tmp_path / "out.csv", ROWS)

    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_old_file_stays_if_the_new_one_fails(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")

    with pytest.raises(AttributeError):
        write_rows(path, [*ROWS, None])

    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.txt", "--out must end in .csv, .jsonl, .parquet, got "),
        ("none/out.csv", "--out must lie in an existing folder, got "),
        ("folder.csv", "--out must be a file, got the folder "),
    ],
)
def test_name_that_cannot_be_written_is_refused_beforehand(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()

    with pytest.raises(UsageError) as raised:
        check_output(tmp_path / name)

    assert str(raised.value) == f"{message}{tmp_path / name}"
