"""Tests that benchmarks which start scripts run as modules, and as scripts from any folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.sides import run_side

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = (
    "critics/encoding",
    "metrics/diversity",
    "metrics/meteor",
    "metrics/ngrams",
    "metrics/parser",
    "metrics/spice",
)


def _help(*command: str, folder: Path) -> str:
    result = subprocess.run(
        [sys.executable, *command, "--help"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_module_is_a_script_too(name: str, tmp_path: Path) -> None:
    as_module = _help("-m", f"benchmarks.{name.replace('/', '.')}", folder=ROOT)
    as_script = _help(str(ROOT / "benchmarks" / f"{name}.py"), folder=tmp_path)

    assert as_module.startswith(f"usage: {Path(name).name}.py ")
    assert as_script == as_module


def test_a_side_is_asked_for_by_flags(tmp_path: Path) -> None:
    script = tmp_path / "one.py"
    script.write_text("import json, sys; print(json.dumps({'flags': sys.argv[1:]}))")

    assert run_side(str(script), "ours", items=3) == {"flags": ["--side", "ours", "--items", "3"]}


def test_a_side_that_fails_ends_the_benchmark_with_what_it_said(tmp_path: Path) -> None:
    script = tmp_path / "one.py"
    script.write_text("raise SystemExit('no captions here')")

    with pytest.raises(SystemExit, match=r"^peer failed:\nno captions here\n$"):
        run_side(str(script), "peer")
