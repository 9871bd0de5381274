"""Tests that the benchmark makes a leaderboard and times both sides."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_a_small_board() -> None:
    command = [sys.executable, "-m", "benchmarks.challenges.board", "--teams", "3", "--repetitions", "1"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert "3 teams, 12 columns" in result.stdout, result.stdout + result.stderr
    assert re.search(r"page / raw SQL: [\d.]+\n", result.stdout)
