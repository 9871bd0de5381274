"""Tests that docs/operations.md names every command with its options and every environment variable."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/operations.md").read_text()
APPS = {name: app for name, app in get_commands().items() if app in ("challenges", "studies", "jobs")}
OURS = sorted(APPS)
SHARED_FLAGS = {"-h", "--help", "--version", "--verbosity", "--settings", "--pythonpath", "--traceback", "--no-color"}


def _rows() -> dict[str, str]:
    return {match[1]: match[0] for match in re.finditer(r"^\| `(\w+)[^\n]*$", PAGE, re.MULTILINE)}


@pytest.mark.parametrize("name", OURS)
def test_command_is_documented(name: str) -> None:
    assert name in _rows()


@pytest.mark.parametrize("name", OURS)
def test_documented_flags_exist(name: str) -> None:
    parser = load_command_class(APPS[name], name).create_parser("manage.py", name)
    known = {option for action in parser._actions for option in action.option_strings} - SHARED_FLAGS

    assert set(re.findall(r"--[a-z-]+", _rows()[name])) <= known


def test_every_setting_of_the_environment_is_documented() -> None:
    source = (ROOT / "config/settings.py").read_text()
    read = set(re.findall(r'env(?:\.\w+)?\("(\w+)"', source))

    assert {name for name in read if f"`{name}`" not in PAGE} == set()
    assert len(read) >= 8


@pytest.mark.parametrize("path", sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")}), ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    targets = [link for link in re.findall(r"\]\(([^)#]+)", path.read_text()) if "://" not in link]

    assert [link for link in targets if not (path.parent / link).exists()] == []
