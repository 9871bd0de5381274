"""Tests of `python -m captioning`: labels in the original's layout, and errors about arguments."""

import subprocess
import sys
from pathlib import Path

import pytest

from captioning.cli import main
from tests.captioning.worlds.samples import SETS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", SETS)
def test_check_prints_the_published_labels(name: str, data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data_folder / "shapeworld" / name

    code = main(["worlds", "check", "--worlds", f"{folder}/world_model.json", "--captions", f"{folder}/caption.txt"])

    assert (code, capsys.readouterr()) == (0, ((folder / "agreement.txt").read_text(), ""))


def test_check_as_a_program_names_what_is_no_sentence(data_folder: Path, tmp_path: Path) -> None:
    worlds = data_folder / "shapeworld/existential-oneshape/world_model.json"
    captions = tmp_path / "captions.txt"
    captions.write_text(
        "".join(["A yellow shape is an ellipse.\n", "the shapes runs .\n", *["there is a shape .\n"] * 18])
    )
    command = [sys.executable, "-m", "captioning", "worlds", "check", "--worlds", str(worlds)]

    result = subprocess.run(
        [*command, "--captions", str(captions), "--profile", "H"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert result.returncode == 1
    assert result.stdout.splitlines() == ["1.0", "nan", *["1.0"] * 18]
    assert result.stderr.startswith(f"{captions}: world 1, caption 0: word 2, 'shapes', cannot stand after 'the'")


def test_wrong_numbers_of_captions_and_missing_files_end_with_an_error(
    data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    worlds = data_folder / "shapeworld/existential-oneshape/world_model.json"
    captions = tmp_path / "captions.txt"
    captions.write_text("there is a shape .\n\nthere is a shape .\n")

    assert main(["worlds", "check", "--worlds", str(worlds), "--captions", str(captions)]) == 2
    assert "must have captions for each of the 20 worlds" in capsys.readouterr().err
    assert main(["worlds", "check", "--worlds", str(tmp_path / "none"), "--captions", str(captions)]) == 2
    assert f"error: {tmp_path / 'none'}: cannot be read as JSON" in capsys.readouterr().err


def test_constructions_are_counted_in_captions_and_references(tmp_path: Path, capsys) -> None:
    captions, references = tmp_path / "caption.txt", tmp_path / "references.txt"
    captions.write_text("a square is red .\na circle is blue .\na red .\n", encoding="utf-8")
    references.write_text("a cross is red .\nthere is a shape .\n", encoding="utf-8")

    assert main(["worlds", "constructions", "--captions", str(captions), "--references", str(references)]) == 0

    assert capsys.readouterr().out.splitlines() == [
        "      2       1  a <shape> is <color> .",
        "      1       0  ungrammatical",
        "      0       1  there is a shape .",
    ]


def test_constructions_of_a_file_that_cannot_be_read_are_refused(tmp_path: Path, capsys) -> None:
    assert main(["worlds", "constructions", "--captions", str(tmp_path / "no.txt")]) == 2

    assert "no.txt: cannot be read" in capsys.readouterr().err
