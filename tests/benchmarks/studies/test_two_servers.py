"""Tests that a server that is killed under load loses no judgment, and that the other one goes on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.usefixtures("postgres_url")
def test_no_judgment_is_lost_with_a_server() -> None:
    options = ("--json", "--raters", "6", "--think", "0.3", "--seconds", "12", "--ramp", "1")
    command = [sys.executable, "-m", "benchmarks.studies.two_servers", *options]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout + result.stderr
    row = json.loads(result.stdout)
    assert (row["lost"], row["errors_of_the_other"], row["errors_of_the_killed_before"]) == (0, 0, 0)
    assert row["raters_moved"] == 3
    assert row["stored"] >= row["acknowledged"] > 0
    # Images of pages come from the object store.
    assert row["images"] > 0
