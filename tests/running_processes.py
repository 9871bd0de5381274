"""Asks whether processes are still running, and waits for their end."""

import time
from collections.abc import Sequence
from pathlib import Path


def is_running(pid: int) -> bool:
    """Return whether a process is there and more than a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until_gone(pids: Sequence[int]) -> list[int]:
    """Return those that are still running after 20 seconds."""
    deadline = time.monotonic() + 20
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [pid for pid in pids if is_running(pid)]
