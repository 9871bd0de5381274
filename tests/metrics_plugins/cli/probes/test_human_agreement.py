"""Tests of `human-agreement` on files."""

import json
from pathlib import Path

import pytest

from tests.metrics_plugins.cli.running import run_command, write_captions

CAPTIONS = [
    *((1, "a dog runs"), (1, "the dog runs fast"), (1, "a brown dog")),
    *((2, "a cat sleeps"), (2, "two cats sleep"), (2, "a cat")),
    (3, "a bird"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_captions(tmp_path / "r.json", *CAPTIONS)
    return tmp_path


def agree(folder: Path, *arguments: str | Path) -> str:
    result = run_command("human-agreement", "--references", "r.json", *arguments, folder=folder)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_each_reference_in_turn(folder: Path) -> None:
    printed = agree(folder, "--metrics", "length,bleu-1")

    assert printed.startswith("Images: 2 / 2 / 2; dropped (no second reference): 1.\n")
    assert "| length | 3.0000 | 3.5000 | 2.5000 | 3.0000 |" in printed
    assert printed.endswith("- `length|tok:ptb|v:1`\n- `bleu-1|tok:ptb|len:closest|v:1`\n")


def test_one_reference_and_words_as_json(folder: Path) -> None:
    system = write_captions(folder / "s.json", (1, "a dog"))

    printed = agree(
        folder,
        *("--metrics", "length", "--position", "1", "--words", "Dog, a", "--word-references", "2"),
        *("--system", system, "--out", "out.json"),
    )

    content = json.loads((folder / "out.json").read_text())
    assert printed == ""
    assert [each["position"] for each in content["metrics"][0]["rounds"]] == [1]
    # Only image 1 has a caption of the system: all three people say dog, two of them "a".
    assert [(each["word"], each["n_images"], each["recall"]) for each in content["words"]] == [
        ("dog", 1, 1.0),
        ("a", 1, 0.5),
    ]
    assert content["words"][0]["system"]["precision_at_human_recall"] == 1.0


def test_words_of_most_images(folder: Path) -> None:
    printed = agree(folder, "--metrics", "length", "--words", "2", "--word-references", "2", "--out", "out.md")

    table = (folder / "out.md").read_text().split("| word |")[1].splitlines()
    assert printed == ""
    assert [line.split(" | ")[0] for line in table[2:]] == ["| a", "| brown"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--metrics", "nothing"), "no installed plugin has a metric 'nothing'"),
        (("--metrics", "lsa"), "metric 'lsa' gives one score for each set"),
        (("--metrics", "length", "--position", "9"), "at least 10 references"),
        (("--metrics", "length", "--words", "0"), "--words must be a number from 1"),
        (("--metrics", "length", "--words", "a,,b"), "--words must be a number from 1, or words"),
        (("--metrics", "length", "--words", "horse", "--word-references", "2"), "word 'horse' is in none"),
        (("--metrics", "length", "--system", "r.json"), "give the words with --words"),
        (("--metrics", "length", "--out", "out.csv"), "--out must end in .md, .json"),
        (("--metrics", "length", "--sample", "4"), "--sample must be at most 3"),
    ],
)
def test_wrong_arguments_end_with_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run_command("human-agreement", "--references", "r.json", *arguments, folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    result = run_command("human-agreement", "--references", "r.json", "--metrics", "length", folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert "r.json: cannot be read" in result.stderr
