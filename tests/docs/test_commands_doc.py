"""Tests that docs/commands.md tells every command on files, every exit code, and what the table really prints."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from accordance import cli
from execution.stopping import INTERRUPTED_EXIT
from tests.accordance.running import run_accordance
from tests.accordance.test_score_table import GOOD, POOR, REFERENCES
from tests.metrics_plugins.cli.running import write_captions

EMPTY = "sqlite:///:memory:"
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "commands.md").read_text()

# The demo without the scores of all metrics, of which the sessions show two.
LOAD_DEMO = """
import django
django.setup()
import numpy as np
from django.contrib.auth import get_user_model
from django.utils import timezone
from studies.management.serving import prepare_database
from studies.simulation.demo.content import DATA, read_content
from studies.simulation.demo.loading import load_demo
from studies.simulation.demo.running import SEED
prepare_database()
owner = get_user_model().objects.create_user("demo")
load_demo(read_content(DATA), owner=owner, now=timezone.now(), rng=np.random.default_rng(SEED))
"""


@pytest.mark.parametrize("name", sorted(cli._OF_METRICS))
def test_command_on_files_is_told(name: str) -> None:
    assert f"`accordance {name}" in PAGE


def test_exit_codes_are_told() -> None:
    codes = re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)

    assert codes == re.findall(r"(\d+) ", cli._USAGE.partition("exit codes: ")[2])


def list_examples() -> list[tuple[int, str]]:
    """Return the commands in the table of exit codes, each with its code."""
    rows = re.findall(r"^\| (\d+) \|.*\| (.*) \|$", PAGE, re.MULTILINE)
    return [(int(code), example) for code, examples in rows for example in re.findall(r"`(.*?)`", examples)]


@pytest.mark.parametrize(("code", "example"), list_examples())
def test_exit_code_of_an_example(code: int, example: str, tmp_path: Path) -> None:
    result = run_accordance(*example.split()[1:], folder=tmp_path, ACCORDANCE_VAR=str(tmp_path), DATABASE_URL=EMPTY)

    assert result.returncode == code
    assert "Traceback" not in result.stderr
    assert bool(result.stderr) is (code != 0)


def test_every_code_but_that_of_ctrl_c_has_an_example() -> None:
    assert {code for code, _ in list_examples()} == {0, 1, 2}


def list_sessions() -> list[tuple[str, str]]:
    """Return what is typed and what is printed, for each session of the page."""
    return re.findall(r"```\n\$ (accordance .*?)\n(.*?)```", PAGE, re.DOTALL)


def test_session_on_files_prints_what_the_page_says(tmp_path: Path) -> None:
    ((typed, printed),) = [each for each in list_sessions() if ".json " in each[0]]
    write_captions(tmp_path / "references.json", *REFERENCES)
    write_captions(tmp_path / "fluent.json", *GOOD)
    write_captions(tmp_path / "terse.json", *POOR)

    assert run_accordance(*typed.split()[1:], folder=tmp_path).stdout == printed


def test_command_without_a_database_says_what_the_page_says(tmp_path: Path) -> None:
    ((typed, printed),) = [each for each in list_sessions() if "no database" in each[1]]
    path = tmp_path / "db.sqlite3"
    own = {"ACCORDANCE_VAR": str(tmp_path), "DATABASE_URL": f"sqlite:///{path}"}

    result = run_accordance(*typed.split()[1:], folder=tmp_path, **own)

    assert result.stderr == printed.replace("/home/ann/elsewhere/db.sqlite3", str(path))
    assert result.returncode == 1
    assert not path.exists()


def test_a_stopped_command_says_what_the_page_says(capsys: pytest.CaptureFixture, monkeypatch) -> None:
    ((typed, printed),) = [each for each in list_sessions() if "^C" in each[1]]

    def stop(given: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run_django", stop)

    assert cli.main(typed.split()[1:]) == INTERRUPTED_EXIT
    assert f"^C{capsys.readouterr().err}" == printed


@pytest.mark.slow
def test_sessions_on_the_demo_print_what_the_page_says(tmp_path: Path) -> None:
    sessions = [each for each in list_sessions() if "demo-rating" in each[0] and "^C" not in each[1]]
    own = {"ACCORDANCE_VAR": str(tmp_path / "var"), "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3"}
    load = [sys.executable, "-c", LOAD_DEMO]
    known = {**os.environ, **own, "DJANGO_SETTINGS_MODULE": "config.settings"}
    loaded = subprocess.run(load, cwd=ROOT, env=known, capture_output=True, text=True, check=False)
    assert loaded.returncode == 0, loaded.stderr
    scored = run_accordance("score", "demo-rating", "--metrics", "bleu-1,cider-d", folder=tmp_path, **own)
    assert scored.returncode == 0, scored.stderr
    program = tmp_path / "accordance"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m accordance "$@"\n')
    program.chmod(0o755)
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment = {**inherited, **own, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    printed = [
        subprocess.run(["sh", "-c", typed], cwd=tmp_path, env=environment, capture_output=True, text=True).stdout
        for typed, _ in sessions
    ]

    assert printed == [output for _, output in sessions]
    assert len(sessions) == 4
