"""Starts commands as a terminal does, asks whether processes are still running, and waits for their end."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Processes in the background of a shell ignore Ctrl-C and may ignore Ctrl-Z, and so would those that they start.
_BEGIN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTSTP, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
"""


def start_module(
    module: str, *arguments: str | Path, folder: Path, environment: dict[str, str], **options: Any
) -> "subprocess.Popen[Any]":
    """Start `python -m MODULE` in a folder, with variables added to those of the tests, without their settings.

    It leads a session of its own, unless `options` of `subprocess.Popen` have it otherwise.
    """
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", _BEGIN, module, *map(str, arguments)]
    options = {"start_new_session": True, **options}
    return subprocess.Popen(command, cwd=folder, env={**inherited, **environment}, **options)


def list_workers(parent: int) -> list[int]:
    """Return the child processes that lead a session of their own."""
    found = subprocess.run(
        ["ps", "-o", "pid=,sid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, session in rows if pid == session]


def is_running(pid: int) -> bool:
    """Return whether a process is there and more than a zombie."""
    return read_state(pid) not in ("", "Z")


def read_state(pid: int) -> str:
    """Return the letter of the state of a process in /proc, such as T for stopped; empty if it is not there."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def wait_until_gone(pids: Sequence[int]) -> list[int]:
    """Return those that are still running after 20 seconds."""
    deadline = time.monotonic() + 20
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return [pid for pid in pids if is_running(pid)]
