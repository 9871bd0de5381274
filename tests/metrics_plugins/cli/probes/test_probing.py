"""Tests of `probe` on files."""

import json
from pathlib import Path

import pytest

from tests.metrics_plugins.cli.running import run_command, write_captions

CAPTIONS = [(1, "a dog runs"), (1, "the dog runs fast"), (2, "a cat sleeps"), (2, "two cats sleep"), (3, "a bird")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_captions(tmp_path / "r.json", *CAPTIONS)
    write_captions(tmp_path / "s.json", (1, "dogs"), (2, "cats"), (3, "birds"))
    write_captions(tmp_path / "t.json", (9, "A man rides."), (9, "a man rides"), (8, "a man rides a wave"), (8, "sun"))
    (tmp_path / "o.json").write_text(json.dumps({"1": ["dog", "dog", "apple"], "2": ["cat"]}))
    return tmp_path


def probe(folder: Path, *arguments: str) -> str:
    result = run_command("probe", "--references", "r.json", "--metrics", "length", *arguments, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_objects_against_people_and_a_system(folder: Path) -> None:
    printed = probe(folder, "--objects", "o.json", "--systems", "mine=s.json")

    assert "- objects: There is a dog and apple\n" in printed
    assert "| length | objects | objects |" in printed
    assert "| length | objects | mine | 100.0 % | 0.0 % | 2 |" in printed


def test_objects_found_in_the_references(folder: Path) -> None:
    assert "- objects: There is a dog\n" in probe(folder, "--objects", "found")


def test_articles_and_duplicates_are_choices(folder: Path) -> None:
    printed = probe(folder, "--objects", "o.json", "--articles", "each", "--duplicates", "count")

    assert "- objects: There are two dogs and an apple\n" in printed


def test_common_captions_of_a_training_corpus(folder: Path) -> None:
    probe(folder, "--frequent", "2", "--central", "--training", "t.json", "--out", "out.json")

    content = json.loads((folder / "out.json").read_text())
    assert content["examples"] == {
        "frequent-1": "a man rides",
        "frequent-2": "a man rides a wave",
        "central": "a man rides",
    }


def test_common_captions_of_the_references_themselves(folder: Path) -> None:
    assert "- frequent-1: a bird\n" in probe(folder, "--frequent", "1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "a probe is needed: --objects, --frequent or --central"),
        (("--objects", "none.json"), "none.json: cannot be read"),
        (("--objects", "o.json", "--systems", "s.json"), "--systems must be NAME=FILE, got 's.json'"),
        (("--central", "--systems", "a=s.json", "--systems", "a=s.json"), "got 'a' twice"),
        (("--central", "--systems", "people=s.json"), "'people' twice"),
        (("--central", "--systems", "mine=r.json"), "record 2: field 'image_id': must be unique, but system 'mine'"),
        (("--central", "--systems", "mine=t.json"), "record 2: field 'image_id': must be unique"),
        (("--central", "--out", "out.csv"), "--out must end in .md, .json"),
        (("--central", "--position", "4"), "at least 5 references"),
    ],
)
def test_wrong_arguments_end_with_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run_command("probe", "--references", "r.json", "--metrics", "length", *arguments, folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_objects_of_every_image_are_needed(folder: Path) -> None:
    (folder / "o.json").write_text(json.dumps({"1": ["dog"]}))

    result = run_command(
        *("probe", "--references", "r.json", "--metrics", "length", "--objects", "o.json"), folder=folder
    )

    assert result.returncode == 2
    assert "'objects' has no caption of image 2 (1 such images)" in result.stderr
