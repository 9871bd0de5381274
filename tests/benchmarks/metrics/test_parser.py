"""Tests that the benchmark runs on real captions, and compares tuples with those of a file."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "metrics" / "parser.py"


def run(*arguments: str) -> list[dict]:
    command = [sys.executable, str(SCRIPT), "--json", *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_rates_of_a_small_run() -> None:
    (row,) = run("--items", "20", "--parts", "2")

    # Five captions an image, few of them equal.
    assert 90 <= row["captions"] <= 100
    assert row["ratio"] * row["peer_captions_per_s"] / row["ours_captions_per_s"] > 0.98
    assert 0.3 < row["ratio"] < 1.3


def test_tuples_of_a_file(golden_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "tuples.jsonl.gz"
    with gzip.open(golden_folder / "spice" / "caption_tuples.jsonl.gz", "rt") as file:
        lines = [next(file) for _ in range(200)]
    path.write_bytes(gzip.compress("".join(lines).encode()))

    _, *rows = run("--golden", str(path), "--parts", "1")

    assert [row["kind"] for row in rows] == ["objects", "attributes", "relations"]
    assert all(0.4 < row[measure] < 1 for row in rows for measure in ("precision", "recall", "f"))
