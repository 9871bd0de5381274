"""Writes files with names of people: atomically, and readable by their owner only."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_private(path: Path, lines: Iterable[str]) -> None:
    """Write or replace a file that only its owner can read; a failed attempt leaves nothing behind.

    Raises:
        OSError: The file cannot be written.
    """
    # The temporary file has the mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
