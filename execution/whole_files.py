"""Writes files that appear only when they are complete, so that a command that is stopped leaves no part of one."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in its folder, flush it to disk, and rename it when it is complete.

    Other processes read either what was there before or the whole new content. A device or a pipe is just written to.

    Raises:
        OSError: The file cannot be written.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    # A link stays one.
    path = path.resolve()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
