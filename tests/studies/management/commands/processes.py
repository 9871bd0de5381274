"""Runs `manage.py` as a process with a separate database."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


def make_environment(folder: Path, **changes: str) -> dict[str, str]:
    """Return the environment of an installation that keeps everything in a folder."""
    return {
        "PATH": os.environ["PATH"],
        "ACCORDANCE_VAR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        **changes,
    }


@contextmanager
def start(*arguments: str, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command whose output is not read; wait for its end, or kill it if the test fails before."""
    command = [sys.executable, "manage.py", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        except BaseException:
            process.kill()
            raise


def run(*arguments: str, environment: dict[str, str]) -> str:
    """Run a command to its end and return what it printed; its failure is the test's."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def call(source: str, *, environment: dict[str, str]) -> list[str]:
    """Run Python with Django set up, and return the lines that it printed; its failure is the test's."""
    program = "import django; django.setup()\n" + source
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def list_children(pid: int) -> set[int]:
    """Return the processes that a process started."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
