"""Runs the command `accordance` in a separate process, as a user does."""

import os
import subprocess
import sys
from pathlib import Path


def run_accordance(*arguments: str | Path, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what `python -m accordance` did with these arguments."""
    command = [sys.executable, "-m", "accordance", *map(str, arguments)]
    # The settings of the tests are not those of a user.
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    variables = {**inherited, **environment}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
