"""Tests of `accordance notebooks`: what it copies, and that it overwrites nothing."""

from pathlib import Path

import pytest

from accordance.cli import main
from accordance.notebooks import NOTEBOOKS
from tests.docs.notebooks import NAMES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "python.md").read_text()


def test_notebooks_are_those_that_need_no_server() -> None:
    assert NOTEBOOKS == NAMES


def test_command_prints_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["notebooks", "learning"]) == 0

    printed = capsys.readouterr().out
    assert f"$ accordance notebooks learning\n{printed}```" in PAGE
    assert all(Path(line).is_file() for line in printed.splitlines())
    assert {"captions.csv", "judgments.csv", "overlap.py", "references.json"} <= {
        path.name for path in Path("learning/data").iterdir()
    }


@pytest.mark.parametrize("name", ["captioner.ipynb", "data"])
def test_nothing_is_overwritten(name: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / name).write_text("mine")

    assert main(["notebooks", str(tmp_path)]) == 2

    assert capsys.readouterr().err == (
        f"error: {tmp_path / name} exists, and nothing is overwritten: name another folder\n"
    )
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "file").touch()

    assert main(["notebooks", str(tmp_path / "file" / "inside")]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path / 'file' / 'inside'}: Not a directory\n"
