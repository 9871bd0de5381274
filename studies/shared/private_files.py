"""Files that name people: for the eyes of whoever asked for them, and there whole or not at all."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def write_private(path: Path, lines: Iterable[str]) -> None:
    """Write a file that only its owner can read, in place of one that is there; nothing is left of a failed attempt.

    Raises:
        OSError: It cannot be written.
    """
    # Made with the mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink()
        raise
