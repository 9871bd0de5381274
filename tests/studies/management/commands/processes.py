"""Runs `manage.py` as a process with a separate database."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO

from tests.throw_away import make_throw_away

ROOT = Path(__file__).resolve().parents[4]


def make_environment(folder: Path, **changes: str) -> dict[str, str]:
    """Return the environment of an installation that keeps everything in a folder."""
    return {
        "PATH": os.environ["PATH"],
        "ACCORDANCE_VAR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        **changes,
    }


def migrate(environment: dict[str, str]) -> None:
    """Do what the command does to an installation without tables; one with SQLite gets copies of what it made once.

    With further apps, such as single sign-on, run `migrate` afterwards.
    """
    kind, _, path = environment["DATABASE_URL"].partition(":///")
    if kind != "sqlite":
        run("migrate", "--verbosity", "0", environment=environment)
        return
    made, folder = _make_migrated(), Path(environment["ACCORDANCE_VAR"])
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(made / "db.sqlite3", path)
    for name in ("identity_key", "secret_key"):
        if name.upper() not in environment and f"ACCORDANCE_{name.upper()}" not in environment:
            shutil.copy(made / name, folder / name)


@cache
def _make_migrated() -> Path:
    folder = make_throw_away("migrated")
    run("migrate", "--verbosity", "0", environment=make_environment(folder))
    return folder


@contextmanager
def start(
    *arguments: str, environment: dict[str, str], output: IO[str] | int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[str]]:
    """Start a command whose output goes to a file or is not read; wait for its end, or kill it if the test fails."""
    command = [sys.executable, "manage.py", *arguments]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, text=True) as process:
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


def run_all(*commands: tuple[str, ...], environment: dict[str, str]) -> list[str]:
    """Run commands one after another in one process, and return what each printed; a failure is the test's."""
    source = f"""
import json
from contextlib import redirect_stdout
from io import StringIO
from django.core.management import call_command
printed = []
for command in {commands!r}:
    with redirect_stdout(StringIO()) as out:
        call_command(*command)
    printed.append(out.getvalue())
print(json.dumps(printed))
"""
    (line,) = call(source, environment={"DJANGO_SETTINGS_MODULE": "config.settings", **environment})
    return list(json.loads(line))


def list_children(pid: int) -> set[int]:
    """Return the processes that a process started."""
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}
