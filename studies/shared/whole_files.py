"""Writes files that appear only when they are complete, so that a command that is stopped leaves no part of one."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in its folder, and rename it when it is complete.

    Raises:
        OSError: The file cannot be written.
    """
    if path.exists() and not path.is_file():
        # A device or a pipe, such as /dev/stdout.
        path.write_bytes(content)
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
