"""Runs a command with an empty, temporary SQLite database."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import Final

from jobs.worker.command_lines import make_command_line

IN_SCRATCH: Final = "ACCORDANCE_SCRATCH"
"""The environment variable that is set only for processes with the temporary database."""


def run_in_scratch(arguments: Sequence[str]) -> int:
    """Run `manage.py ARGUMENTS` with an empty database; return its exit status."""
    with tempfile.TemporaryDirectory(prefix="scratch-") as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", IN_SCRATCH: "1"}
        for command in (["migrate", "--verbosity", "0"], list(arguments)):
            # No shell, and no arguments from outside.
            done = subprocess.run(make_command_line(*command), env=environment)  # noqa: S603
            if done.returncode:
                return done.returncode
    return 0
