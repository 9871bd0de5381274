"""Tests that docs/panels.md has every panel, outcome and command, with existing options."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from studies.enums import PanelKind, RaterOutcome
from studies.models import Consent, Identity, Invitation, Payment, RaterEvent, Submission, Tally

PAGE = (Path(__file__).resolve().parents[2] / "docs/panels.md").read_text(encoding="utf-8")
COMMANDS = ("invite", "prolific", "amt_template", "amt_batch", "panel_report", "add_perturbed_checks")


def test_every_panel_has_its_row_and_section() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    sections = re.findall(r"^## `(\w+)`$", PAGE, re.MULTILINE)

    assert sorted(rows) == sorted(sections) == sorted(PanelKind.values)


def test_every_outcome_that_has_a_code_is_named() -> None:
    assert [one for one in RaterOutcome.values if f"`{one}`" not in PAGE] == [RaterOutcome.WITHDRAWN]


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_shown_with_flags_that_it_has(name: str) -> None:
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    known = {option for action in parser._actions for option in action.option_strings}
    shown = re.findall(rf"`{name} STUDY([^`]*)`", PAGE)

    assert shown
    assert {flag for text in shown for flag in re.findall(r"--[a-z-]+", text)} <= known


def test_tables_that_hold_personal_data_are_named() -> None:
    models = (Consent, Identity, Invitation, Payment, RaterEvent, Submission, Tally)

    assert [model.__name__ for model in models if f"`{model.__name__}`" not in PAGE] == []
