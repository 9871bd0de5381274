"""Tests that both sides of the benchmark run on real captions and agree."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "metrics" / "ngrams.py"


@pytest.mark.usefixtures("java")
def test_rows_of_a_small_run() -> None:
    command = [sys.executable, str(SCRIPT), "--json", "--items", "300"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    rows = json.loads(result.stdout)
    assert [row["work"] for row in rows] == [
        "tokenise, BLEU-1..4, ROUGE-L, CIDEr-D: 300 candidates with 4 references each",
        "tokenise",
        "BLEU-1..4",
        "ROUGE-L",
        "CIDEr-D",
    ]
    assert {tuple(row) for row in rows} == {("work", "ours_s", "peer", "peer_s", "ratio", "ours_mb", "peer_mb")}
    assert {row["peer"] for row in rows} == {"pycocoevalcap 1.2"}
    assert rows[0]["ours_mb"] > 0
    assert rows[0]["peer_mb"] > 0
