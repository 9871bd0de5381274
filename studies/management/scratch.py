"""Runs a command where there is nothing yet: a SQLite file in a folder that is deleted in the end."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Final

from django.conf import settings

IN_SCRATCH: Final = "ACCORDANCE_SCRATCH"
"""Set for the process in the empty database only."""


def run_in_scratch(arguments: Sequence[str]) -> int:
    """Run `manage.py ARGUMENTS` in an empty database; return its status."""
    with tempfile.TemporaryDirectory(prefix="scratch-") as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", IN_SCRATCH: "1"}
        for command in (["migrate", "--verbosity", "0"], list(arguments)):
            # Nothing but our own arguments gets here, and no shell is in between.
            done = subprocess.run([sys.executable, "manage.py", *command], env=environment, cwd=settings.BASE_DIR)  # noqa: S603
            if done.returncode:
                return done.returncode
    return 0
