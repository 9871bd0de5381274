"""Tests that the benchmark of worlds runs, and that its peer parses the same language."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.worlds import make_chart_parser
from captioning.worlds.language import is_grammatical

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "worlds.py"


def run(*arguments: str) -> list[dict]:
    command = [sys.executable, str(SCRIPT), "--json", *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_rates_of_a_small_run_and_one_reading_by_the_peer() -> None:
    rows = run("--worlds", "6", "--captions", "2", "--peer", "10")

    (parsing,) = (row for row in rows if row["work"] == "parse")
    assert parsing["captions"] == 28
    assert parsing["peer_readings"] == [1]
    assert parsing["ratio"] < 0.1
    assert len([row for row in rows if row["work"].startswith("make ")]) == 6
    assert all(row["many_over_one_per_s"] > 0 for row in rows if row["work"].startswith("evaluate "))


def test_round_trip_counts_every_caption() -> None:
    (row,) = run("--round-trip", "140", "--processes", "1")

    assert row["captions"] == row["read_back"] == row["with_intended_value"] == 140
    assert 40 < row["true"] < 100


@pytest.mark.parametrize(
    "text",
    [
        "a shape is red .",
        "a shape is a ellipse .",
        "there is a square and is red .",
        "two more squares than circles are red .",
    ],
)
def test_peer_reads_the_same_language(text: str) -> None:
    assert (next(iter(make_chart_parser().parse(text.split())), None) is not None) == is_grammatical(text)
