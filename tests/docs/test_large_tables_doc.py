"""Tests that docs/large-tables.md prints what its session really does, and tells every column and argument."""

import re
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from metrics_plugins.cli.main import _make_parser
from metrics_plugins.large_tables.captions import PASSED_ON, REQUIRED
from metrics_plugins.large_tables.partitions import IN_REFERENCES, ROW
from tests.accordance.running import run_accordance

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "large-tables.md").read_text()


def read_block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


def test_session_prints_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(read_block("python"), "large-tables.md", "exec"), {})  # noqa: S102 - a page of ours
    (tmp_path / "judgments.csv").write_text(read_block("csv"))
    session = re.findall(r"```\n\$ accordance (.*?)\n(.*?)```", PAGE, re.DOTALL)

    printed = [run_accordance(*shlex.split(arguments), folder=tmp_path).stdout for arguments, _ in session]

    assert printed == [output for _, output in session]
    assert len(session) == 2
    written = pq.read_table(tmp_path / "scores")
    types = {name: str(kind) for name, kind in zip(written.column_names, written.schema.types, strict=True)}
    assert types == {
        "row": "int64",
        "image_id": "string",
        "system": "string",
        "caption": "string",
        "in_references": "bool",
        "bleu-4": "double",
        "cider-d": "double",
    }


@pytest.mark.parametrize("column", [*REQUIRED, *PASSED_ON, ROW, IN_REFERENCES])
def test_column_is_told(column: str) -> None:
    assert re.search(rf"^\| [^|]*`{column}`", PAGE, re.MULTILINE)


@pytest.mark.parametrize("flag", ["--output", "--workers", "--executor", "--rows-per-partition"])
def test_argument_is_told_and_known(flag: str) -> None:
    assert flag in PAGE
    inputs = ["score", "--candidates", "c", "--metrics", "length"]
    value = "inline" if flag == "--executor" else "3"
    assert (
        getattr(_make_parser("accordance").parse_args([*inputs, flag, value]), flag[2:].replace("-", "_")) is not None
    )
