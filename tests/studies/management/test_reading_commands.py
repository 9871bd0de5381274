"""Tests that no command loads the pages before it begins, and that those that only read load no kinds of jobs."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.checks import Tags
from django.core.management import get_commands, load_command_class

from studies.management.refusals import ReadingCommand

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import os, sys
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
import studies.management.commands.show_report
print(*[name for name in ("studies.urls", "studies.admin.study", "studies.job_kinds", "drf_spectacular.generators")
        if name in sys.modules])
"""


def test_start_up_loads_neither_pages_nor_jobs() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.split() == []


@pytest.mark.parametrize("name", ["agreement", "compare", "correlate", "export_scores", "multiverse", "show_report"])
def test_reading_commands_skip_the_checks(name: str) -> None:
    command = load_command_class("studies", name)

    assert isinstance(command, ReadingCommand)
    assert not command.requires_system_checks


def test_no_command_loads_the_pages_for_checks() -> None:
    ours = {name: app for name, app in get_commands().items() if isinstance(app, str) and _is_ours(app)}

    assert {"background", "create_challenge", "import_data", "migrate", "run_jobs", "serve"} <= set(ours)
    for name, app in ours.items():
        command = load_command_class(app, name)
        assert isinstance(command.requires_system_checks, list | tuple), name
        assert Tags.urls not in command.requires_system_checks, name


def _is_ours(app: str) -> bool:
    return app.split(".")[0] in ("annotation_ui", "challenges", "jobs", "studies")
