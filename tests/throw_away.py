"""Temporary folders that are deleted with the test process that created them."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def make_throw_away(name: str) -> Path:
    """Return a new folder, named after what it is for; a process that is killed leaves it behind."""
    folder = Path(tempfile.mkdtemp(prefix=f"accordance-{name}-"))
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, maker: int) -> None:
    # A child that was forked brings this along, and ends before.
    if os.getpid() == maker:
        shutil.rmtree(folder, ignore_errors=True)
