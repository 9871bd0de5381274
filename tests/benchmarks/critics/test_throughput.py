"""Tests that both metrics score the judged rows, and that what is printed is their ratio."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.critics.throughput import read_rows

ROOT = Path(__file__).resolve().parents[3]


def test_rows_are_those_of_the_experts() -> None:
    rows = read_rows(3)

    assert len(rows) == 3
    assert rows.reference_rows.lengths.tolist() == [5, 5, 5]


@pytest.mark.slow
def test_a_small_run() -> None:
    command = [sys.executable, "-m", "benchmarks.critics.throughput", "--rows", "20", "--turns", "1", "--json"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    found = json.loads(result.stdout)
    rates = [found[f"{name} rows per s of CPU"] for name in ("critic-reference", "sentence-cosine")]
    assert found["rows"] == 20
    assert found["ratio_of_cpu"] == pytest.approx(rates[0] / rates[1], abs=0.02)
