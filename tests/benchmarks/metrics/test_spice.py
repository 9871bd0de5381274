"""Tests that the benchmark runs on real captions and reports the ratio to the parser's rate."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "metrics" / "spice.py"


def test_row_of_a_small_run() -> None:
    command = [sys.executable, str(SCRIPT), "--json", "--items", "100"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    row = json.loads(result.stdout)
    assert row["work"].startswith("SPICE: 100 candidates with 4 references each, ")
    assert 0 < row["captions_per_s"] < row["parser_captions_per_s"]
    assert 0 < row["ratio"] < 1
    assert 0 < row["mb"] < 2000
    assert 0 < row["spice"] < 1
