"""Tests that the section of docs/plugins.md on mistakes prints what the commands print."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from accordance.cli import main
from tests.docs.tutorial import Block, read_blocks

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "plugins.md").read_text()
SECTION = PAGE.partition("## When something is wrong\n")[2].partition("\n## ")[0]
BLOCKS = read_blocks(SECTION)
FILES = [block for block in BLOCKS if block.path]
SESSIONS = [block for block in BLOCKS if block.language == "console"]
_COMMAND = "accordance "
_SHOW_CODE = '; echo "exit code $?"'


@pytest.fixture
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for block in FILES:
        (tmp_path / block.path).write_text(block.text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield
    for block in FILES:
        sys.modules.pop(Path(block.path).stem, None)


@pytest.mark.usefixtures("_in_folder")
@pytest.mark.parametrize("block", SESSIONS, ids=lambda block: block.text.partition(" --plugin ")[2].split()[0])
def test_session_prints_what_the_page_says(block: Block, capfd: pytest.CaptureFixture[str]) -> None:
    command = block.text.replace("\\\n", " ").split("\n")[0].removeprefix("$ ")

    printed = run(command, capfd)

    assert block.text.replace("\\\n", "\0").partition("\n")[2] == printed


def test_section_has_every_kind_of_mistake() -> None:
    plugins = {block.path for block in FILES if block.language == "python"}

    assert plugins == {
        "divides.py",
        "text.py",
        "whole.py",
        "undefined.py",
        "misspelled.py",
        "short.py",
        "unfinished.py",
        "endless.py",
    }
    assert len(SESSIONS) == len(plugins)


def run(command: str, capfd: pytest.CaptureFixture[str]) -> str:
    """Return what a command of the page prints to both streams, with its exit code."""
    assert command.startswith(_COMMAND)
    assert command.endswith(_SHOW_CODE)
    code = main(shlex.split(command.removeprefix(_COMMAND).removesuffix(_SHOW_CODE)))
    printed = capfd.readouterr()
    return f"{printed.out}{printed.err}exit code {code}\n"
