"""Follows a tutorial like a reader: writes its files, runs its commands, and compares their output."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_MARK = "(end of output)"
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the page: a file to write, or commands with what they print.

    Attributes:
        language: As the page names it.
        path: The file that it is, "" for commands.
        text: What stands in it.
    """

    language: str
    path: str
    text: str


def read_blocks(page: str) -> list[Block]:
    """Return every block of the page, in order."""
    return [Block(language, path or "", text) for language, path, text in _BLOCK.findall(page)]


def run_blocks(blocks: list[Block], *, folder: Path) -> Iterator[tuple[Block, Block]]:
    """Run blocks of one session in a folder; yield each block of commands as it stands and as it printed."""
    environment = _make_environment(folder)
    place = folder
    for block in blocks:
        if block.path:
            target = place / block.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text)
        elif block.language == "console":
            printed = ""
            for command in list_commands(block):
                output, place = _run(command, place=place, environment=environment)
                printed += f"$ {command}\n{output}"
            yield block, Block(block.language, "", printed)


def list_commands(block: Block) -> list[str]:
    """Return the commands of a block; one may go on after a backslash."""
    joined = block.text.replace("\\\n", "\\\0")
    return [line[2:].replace("\0", "\n") for line in joined.splitlines() if line.startswith("$ ")]


def _run(command: str, *, place: Path, environment: dict[str, str]) -> tuple[str, Path]:
    script = f"{command} && printf '%s\\n%s' '{_MARK}' \"$PWD\""
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    output, mark, folder = result.stdout.partition(_MARK + "\n")
    assert mark, f"{command} fails with exit code {result.returncode}:\n{output}"
    return output, Path(folder)


def _make_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `pip install .` needs no network and changes nothing outside the folder."""
    programs = folder / "programs"
    programs.mkdir()
    for name, options in (("python", ""), ("pip", "-m pip"), ("accordance", "-m accordance")):
        (programs / name).write_text(f'#!/bin/sh\nexec {sys.executable} {options} "$@"\n')
        (programs / name).chmod(0o755)
    # pytest's own settings are not the reader's.
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return {
        **inherited,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PIP_TARGET": str(folder / "site"),
        "PIP_UPGRADE": "1",
        "PIP_QUIET": "1",
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        # pip reads the names of negative options upside down: 0 means no isolation.
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "ACCORDANCE_VAR": str(folder / "var"),
        "ACCORDANCE_SCORING_PROCESSES": "1",
    }
