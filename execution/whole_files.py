"""Writes files that appear only when they are complete, so that a command that is stopped leaves no part of one."""

import os
import secrets
from functools import partial
from pathlib import Path
from typing import Final

PRIVATE: Final = 0o600
"""The mode of a file that only its owner can read."""


def write_whole(path: Path, content: bytes, *, mode: int = 0o666, is_flushed: bool = True) -> None:
    """Write a file under a temporary name in its folder, and rename it when it is complete.

    Other processes read either what was there before or the whole new content, also where several write it at the same
    time. A device or a pipe is just written to.

    Args:
        path: The file.
        content: What it has afterwards.
        mode: Its mode, less the umask. A file that is replaced gets it, too.
        is_flushed: Whether it is flushed to disk, which takes some milliseconds. A file that is not may be empty or
            incomplete after a power failure, though not after the end of this process.

    Raises:
        OSError: The file cannot be written.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    # A link stays one.
    path = path.resolve()
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with open(unfinished, "xb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
            if is_flushed:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
