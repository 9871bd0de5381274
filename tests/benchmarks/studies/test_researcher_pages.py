"""Tests that the benchmark creates a study on PostgreSQL and requests its pages."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.usefixtures("postgres_url")
def test_rows_of_a_small_study() -> None:
    command = [
        sys.executable,
        "-m",
        "benchmarks.studies.researcher_pages",
        "--items",
        "40",
        "--pages",
        "monitoring/",
        "explore/",
    ]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert "made 800 judgments" in result.stdout, result.stdout + result.stderr
    rows = [line.split() for line in result.stdout.splitlines() if line.startswith(("monitoring/", "explore/"))]
    assert [(row[0], len(row)) for row in rows] == [("monitoring/", 11), ("explore/", 11)]
    assert all(float(number) > 0 for row in rows for number in row[1:])
