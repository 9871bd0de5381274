"""Tests of `accordance score FILE... --table`."""

import json
from pathlib import Path

import pytest

from tests.accordance.running import run_accordance
from tests.metrics_plugins.cli.running import score as score_by_command
from tests.metrics_plugins.cli.running import write_captions

REFERENCES = [
    *((1, "a dog runs on the grass"), (1, "a brown dog is running")),
    *((2, "a red bus in the street"), (2, "a bus on a road")),
    *((3, "two people sit on a bench"), (3, "a couple on a park bench")),
    *((4, "a cat sleeps on a bed"), (4, "a sleeping cat")),
]
GOOD = [(1, "a dog runs on the grass"), (2, "a bus in the street"), (3, "two people on a bench"), (4, "a sleeping cat")]
POOR = [(1, "a tree"), (2, "a red ball"), (3, "two dogs"), (4, "something on a table")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_captions(tmp_path / "references.json", *REFERENCES)
    write_captions(tmp_path / "good.json", *GOOD)
    write_captions(tmp_path / "poor.json", *POOR)
    return tmp_path


def run(folder: Path, *more: str):
    files = ("good.json", "poor.json", "--table", "--references", "references.json")
    return run_accordance("score", *files, "--metrics", "cider-d,bleu-2", "--resamples", "200", *more, folder=folder)


def test_values_are_those_of_score(folder: Path) -> None:
    table = json.loads(run(folder, "--json").stdout)

    for system in ("good", "poor"):
        files = ("--candidates", f"{system}.json", "--references", "references.json")
        rows = score_by_command(*files, "--metrics", "cider-d,bleu-2", folder=folder)
        totals = {row["metric"]: row["value"] for row in rows if row["level"] == "corpus"}
        assert {row["metric"]: row["value"] for row in table["rows"] if row["system"] == system} == totals


def test_bounds_and_tests(folder: Path) -> None:
    table = json.loads(run(folder, "--json").stdout)

    assert [(row["metric"], row["system"]) for row in table["rows"]] == [
        ("cider-d", "good"),
        ("cider-d", "poor"),
        ("bleu-2", "good"),
        ("bleu-2", "poor"),
    ]
    assert all(row["low"] <= row["value"] <= row["high"] for row in table["rows"])
    assert [(row["n_images"], row["n_captions"], row["n_missing"]) for row in table["rows"]] == [(4, 4, 0)] * 4
    values = {(row["metric"], row["system"]): row["value"] for row in table["rows"]}
    for each in table["differences"]:
        assert each["difference"] == values[each["metric"], "good"] - values[each["metric"], "poor"]
        # Of the 16 ways to swap 4 images, only swapping none and swapping all are as far from 0: p is near 1/8.
        assert each["p_value"] == pytest.approx(1 / 8, abs=0.08)
        assert each["p_adjusted"] == each["p_value"]


def test_the_same_seed_gives_the_same_bytes(folder: Path) -> None:
    assert run(folder, "--json", "--seed", "5").stdout == run(folder, "--json", "--seed", "5").stdout


def test_printed_for_people(folder: Path) -> None:
    result = run(folder)

    lines = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert lines[0].split() == ["SYSTEM", "METRIC", "VALUE", "LOW", "HIGH", "IMAGES", "CAPTIONS", "MISSING"]
    assert lines[1].split()[:2] == ["good", "cider-d"]
    assert "Paired permutation tests over images (200 permutations, p corrected by Holm):" in lines
    assert lines[-1].startswith("bleu-2|")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["good.json", "good.json"], "another file has the name 'good'"),
        (["good.json", "fewer.json"], "image 4 has 0 captions here and 1 there"),
        (["good.json", "absent.json"], "absent.json"),
        (["good.json", "--metrics", "ciderd"], "did you mean cider"),
        (["good.json", "--metrics", "vocabulary-size"], "has no score of single rows"),
        (["good.json", "--resamples", "0"], "--resamples must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], message: str, folder: Path) -> None:
    write_captions(folder / "fewer.json", *GOOD[:3])
    common = ("--table", "--references", "references.json", "--metrics", "cider-d")

    result = run_accordance("score", *common, *arguments, folder=folder)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
