"""Tests that all sides of the benchmark run on real captions and agree."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "metrics" / "diversity.py"


def test_rows_of_a_small_run() -> None:
    command = [sys.executable, str(SCRIPT), "--json", "--sets", "20"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    rows = json.loads(result.stdout)
    assert [(row["work"], row["peer"]) for row in rows] == [
        ("self-cider: 20 sets of 10 captions", "loop over pairs"),
        ("self-cider-d: 20 sets of 10 captions", "loop over pairs"),
        ("self-cider: 20 sets of 10 captions", "loop over pairs of counted captions"),
        ("self-cider-d: 20 sets of 10 captions", "loop over pairs of counted captions"),
    ]
    assert {tuple(row) for row in rows} == {("work", "ours_s", "peer", "peer_s", "ratio", "ours_mb", "peer_mb")}
    assert min(row["ours_mb"] for row in rows) > 0
