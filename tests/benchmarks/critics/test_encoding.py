"""Tests that both sides of the benchmark run on real captions, and that the memory for many pairs is reported."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE

ROOT = Path(__file__).resolve().parents[3]


def _run(*options: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.critics.encoding", "--json", "--threads", "1", *options]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_device_that_is_not_there_is_told() -> None:
    command = [sys.executable, "-m", "benchmarks.critics.encoding", "--device", "cuda:99"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("--device cuda:99: torch cannot compute on the device 'cuda:99' here: ")


def test_vectors_that_were_kept_on_the_disk_do_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))

    found = _run("--captions", "20", "--pairs", "100")

    assert found["different_captions"] == 20
    # Neither read nor written: nobody looks for them.
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.alone
def test_rows_of_a_small_run() -> None:
    found = _run("--captions", "40", "--rows", "20")

    assert list(found) == ["each once", "as judged", "again", "together", "mb"]
    assert [found[name]["captions"] for name in ("each once", "as judged", "again")] == [40, 120, 120]
    # Each different caption of these rows is encoded once by us, and nothing the second time.
    assert found["again"]["ratio"] > 5


@pytest.mark.slow
def test_memory_of_pairs() -> None:
    found = _run("--captions", "40", "--pairs", "30000")

    assert (found["pairs"], found["different_captions"]) == (30_000, 40)
    assert 0.0 < found["mean"] < 0.5
    assert len(found["mb_at_tenths"]) == 3
    assert max(found["mb_at_tenths"]) < 1.2 * min(found["mb_at_tenths"])
