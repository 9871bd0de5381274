"""Tests that the cost of a judgment is measured for a server on PostgreSQL."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "benchmarks" / "studies" / "judgment_costs.py"


@pytest.mark.slow
@pytest.mark.usefixtures("postgres_url")
def test_rows_of_two_kinds() -> None:
    options = ("--json", "--rounds", "1", "--kinds", "pairwise", "caption")
    result = subprocess.run([sys.executable, str(SCRIPT), *options], capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    rows = json.loads(result.stdout)
    assert [(row["side"], row["kind"]) for row in rows] == [("ours", "pairwise"), ("ours", "caption")]
    assert all(0 < row["database_ms"] < row["web_ms"] for row in rows)
    # At least the two transactions and four rows of a judgment, and what is read for them.
    assert all(row["statements"] > 8 for row in rows)
