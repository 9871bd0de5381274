"""Tests that `python -m` finds the same modules as the command `accordance`: none of the working folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.accordance.running import run_accordance
from tests.accordance.test_cli import place_data
from tests.metrics_plugins.runtime.sandbox.test_listing import WORKING

LIST = (
    "from studies.scoring.plugins.catalog import load_plugins; registry = load_plugins(); "
    "print(registry.get('letters').plugin, [str(each) for each in registry.refused])"
)


@pytest.mark.parametrize("changed", ["", "\n\nWORK_IN_PROGRESS = True\n"], ids=["a copy", "a newer version"])
def test_plugin_of_the_server_is_used_where_the_working_folder_has_a_file_of_its_name(
    changed: str, tmp_path: Path
) -> None:
    (tmp_path / "var" / "plugins").mkdir(parents=True)
    (tmp_path / "var" / "plugins" / "counting.py").write_text(WORKING)
    (tmp_path / "counting.py").write_text(WORKING + changed)

    result = run_accordance("manage", "shell", "--command", LIST, folder=tmp_path, **place_data(tmp_path))

    assert result.stdout.splitlines()[-1:] == ["counting.py []"], result.stderr


def test_file_named_like_a_module_of_python_breaks_no_command(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("raise SystemExit('this is not the one of Python')\n")

    for package in ("accordance", "metrics_plugins"):
        command = [sys.executable, "-m", package, "list"]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (result.returncode, result.stderr) == (0, "")


def test_plugin_file_of_the_working_folder_is_found_by_its_option(tmp_path: Path) -> None:
    (tmp_path / "counting.py").write_text(WORKING)

    result = run_accordance("list", "letters", "--plugin", "counting.py", folder=tmp_path)

    assert result.returncode == 0, result.stderr
