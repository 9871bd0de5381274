"""Tests that the benchmark starts a server on PostgreSQL and simulates raters."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "studies" / "raters.py"


@pytest.mark.slow
@pytest.mark.usefixtures("postgres_url")
def test_row_of_a_small_run() -> None:
    options = ("--json", "--raters", "4", "--think", "0.2", "--seconds", "10")
    result = subprocess.run([sys.executable, str(SCRIPT), *options], capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    (row,) = json.loads(result.stdout)
    assert (row["side"], row["raters"], row["errors"], row["first_errors"]) == ("Accordance", 4, 0, [])
    assert row["judgments"] > 0
    assert row["requests"] >= 2 * row["judgments"]
    assert 0 < row["p50_ms"] <= row["p95_ms"] <= row["p99_ms"]
