"""Tests that temporary folders are deleted with the test process that created them, and not with a child."""

import subprocess
import sys
from pathlib import Path

from tests.throw_away import make_throw_away

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = """
import os, sys
from tests.throw_away import make_throw_away

folder = make_throw_away("gone")
(folder / "file").touch()
child = os.fork()
if not child:
    sys.exit()
os.waitpid(child, 0)
print(folder, (folder / "file").exists())
"""


def test_a_folder_goes_with_the_process_that_made_it() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)

    folder, was_there = done.stdout.split()
    assert was_there == "True"
    assert Path(folder).name.startswith("accordance-gone-")
    assert not Path(folder).exists()


def test_folders_are_new() -> None:
    assert make_throw_away("new") != make_throw_away("new")
