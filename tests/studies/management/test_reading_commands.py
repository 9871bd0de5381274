"""Tests that commands that only read load neither the pages nor the kinds of jobs."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import load_command_class

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
