"""Tests that docs/commands.md tells every command on files, every exit code, and what the table really prints."""

import re
from pathlib import Path

import pytest

from accordance import cli
from tests.accordance.running import run_accordance
from tests.accordance.test_score_table import GOOD, POOR, REFERENCES
from tests.metrics_plugins.cli.running import write_captions

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text()


@pytest.mark.parametrize("name", sorted(cli._OF_METRICS))
def test_command_on_files_is_told(name: str) -> None:
    assert f"`accordance {name}" in PAGE


def test_exit_codes_are_told() -> None:
    codes = re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)

    assert codes == re.findall(r"(\d+) ", cli._USAGE.partition("exit codes: ")[2])


def test_session_prints_what_the_page_says(tmp_path: Path) -> None:
    session = re.findall(r"```\n\$ accordance (.*?)\n(.*?)```", PAGE, re.DOTALL)
    write_captions(tmp_path / "references.json", *REFERENCES)
    write_captions(tmp_path / "fluent.json", *GOOD)
    write_captions(tmp_path / "terse.json", *POOR)

    printed = [run_accordance(*arguments.split(), folder=tmp_path).stdout for arguments, _ in session]

    assert printed == [output for _, output in session]
    assert len(session) == 1
