"""Tests that the notebooks which need no server run from their first cell to their last, and show what they say."""

import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.notebooks import DOCS, NAMES, read_cells

ROOT = DOCS.parent


def run_notebook(name: str, folder: Path, **environment: str) -> list[list[dict]]:
    """Return the outputs of each code cell, run in a folder with only the notebook and its data."""
    shutil.copy(DOCS / name, folder / name)
    shutil.copytree(DOCS / "data", folder / "data", dirs_exist_ok=True)
    command = [sys.executable, str(ROOT / "tests/docs/notebooks.py"), name]
    known = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=known | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def select_compared(outputs: list[dict]) -> list[object]:
    """Return what does not depend on fonts or the width of a terminal."""
    return [output.get("text") or output["data"].get("text/html") or sorted(output["data"]) for output in outputs]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_notebook_shows_what_is_in_it(name: str, tmp_path: Path) -> None:
    kept = [cell["outputs"] for cell in read_cells(DOCS / name) if cell["cell_type"] == "code"]

    shown = run_notebook(name, tmp_path)

    advice = "run `make notebooks` and commit what it changes"
    assert [select_compared(each) for each in shown] == [select_compared(each) for each in kept], advice


@pytest.mark.parametrize("name", NAMES)
def test_notebook_has_a_table_and_a_figure(name: str) -> None:
    kinds = {
        kind
        for cell in read_cells(DOCS / name)
        for output in cell.get("outputs", [])
        for kind in output.get("data", {})
    }

    assert {"text/html", "image/svg+xml"} <= kinds


def test_data_are_what_the_script_makes() -> None:
    tables = runpy.run_path(str(DOCS / "data" / "make_data.py"))["make_tables"]()

    assert {name: (DOCS / "data" / name).read_text(encoding="utf-8") for name in tables} == tables
