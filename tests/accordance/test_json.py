"""Tests that every command of `accordance` has `--json`, or a reason not to, which docs/commands.md gives."""

import argparse
import json
import re
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from accordance import folder_correlations, score_table
from metrics_plugins.cli.main import _make_parser
from tests.accordance.running import run_accordance
from tests.metrics_plugins.cli.running import write_captions

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text()
REFERENCES = [(1, "a dog is running"), (1, "a brown dog runs"), (2, "a black cat"), (2, "a cat sleeps")]
OURS = ("annotation_ui", "challenges", "jobs", "studies")


def list_parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of every command, with the option that tells apart commands with one name."""
    commands = next(each for each in _make_parser("accordance")._actions if each.nargs == argparse.PARSER)
    assert isinstance(commands.choices, dict)
    of_metrics = {f"{name} of metrics": parser for name, parser in commands.choices.items()}
    of_files = {
        "score --table": score_table._make_parser(),
        "correlate --scores": folder_correlations._make_parser(),
    }
    of_studies = {
        name: load_command_class(app, name).create_parser("accordance", name)
        for name, app in get_commands().items()
        if app in OURS
    }
    return {**of_metrics, **of_files, **of_studies}


def list_exceptions() -> set[str]:
    """Return the commands in the table of docs/commands.md that give a reason to have no `--json`."""
    table = PAGE.partition("Commands without `--json` are:\n")[2].partition("\n\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}


def test_every_command_has_json_or_a_reason() -> None:
    without = {name for name, parser in list_parsers().items() if "--json" not in parser._option_string_actions}

    # `constraints` has no parser, and that of `notebooks` belongs to no group of commands.
    assert without | {"constraints", "notebooks"} == list_exceptions()


@pytest.fixture
def files(tmp_path: Path) -> list[str | Path]:
    return [
        *("--candidates", write_captions(tmp_path / "candidates.json", (1, "a dog runs"), (2, "a cat"))),
        *("--references", write_captions(tmp_path / "references.json", *REFERENCES)),
    ]


def test_scores_of_files_are_the_rows_of_the_lines(files: list[str | Path], tmp_path: Path) -> None:
    lines = run_accordance("score", *files, "--metrics", "bleu-1,length", "--signatures", folder=tmp_path)
    whole = run_accordance("score", *files, "--metrics", "bleu-1,length", "--json", folder=tmp_path)

    found = json.loads(whole.stdout)
    assert found["rows"] == [json.loads(line) for line in lines.stdout.splitlines()]
    assert list(found["signatures"]) == ["bleu-1", "length"]
    assert list(found["signatures"].values()) == lines.stderr.splitlines()


def test_json_and_a_file_are_not_combined(files: list[str | Path], tmp_path: Path) -> None:
    out = ("--out", tmp_path / "scores.csv", "--json")
    result = run_accordance("score", *files, "--metrics", "length", *out, folder=tmp_path)

    assert result.returncode == 2
    assert "--json: not allowed with argument --out" in result.stderr


def test_probes_print_what_they_write(files: list[str | Path], tmp_path: Path) -> None:
    command = ("robustness", *files[2:], "--metrics", "bleu-1", "--steps", "2", "--distortions", "wp")
    run_accordance(*command, "--out", tmp_path / "curves.json", folder=tmp_path)

    result = run_accordance(*command, "--json", folder=tmp_path)

    assert json.loads(result.stdout) == json.loads((tmp_path / "curves.json").read_text())


def test_sets_of_metrics_are_listed(tmp_path: Path) -> None:
    found = json.loads(run_accordance("install-metrics", "--json", folder=tmp_path).stdout)
    refused = run_accordance("install-metrics", "meteor", "--json", folder=tmp_path)

    (meteor,) = [each for each in found if each["set"] == "meteor"]
    assert meteor["metrics"] == ["meteor"]
    assert isinstance(meteor["installed"], bool)
    assert (refused.returncode, refused.stderr) == (2, "error: --json prints the list of sets, without SET\n")
