"""Tests that the benchmark makes a leaderboard and times both sides."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_a_small_board() -> None:
    command = [sys.executable, "-m", "benchmarks.challenges.board", "--submissions", "3", "--columns", "2"]
    result = subprocess.run([*command, "--turns", "1"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert "3 submissions x 2 columns" in result.stdout, result.stdout + result.stderr
    assert re.search(r"page \d+ ms, pandas \d+ ms, ratio [\d.]+\n", result.stdout)
