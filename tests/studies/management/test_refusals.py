"""Tests that commands which run plugins keep standard output for themselves."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import load_command_class

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import os, subprocess
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from studies.management.refusals import ReadingCommand

class Command(ReadingCommand):
    runs_plugins = {runs_plugins}

    def handle(self, *args, **options):
        subprocess.run(["echo", "program"])
        os.system("echo shell")
        self.stdout.write("result")

Command().run_from_argv(["accordance", "score"])
"""


@pytest.mark.parametrize("runs_plugins", [True, False])
def test_programs_of_plugins_print_to_standard_error(runs_plugins: bool) -> None:
    script = SCRIPT.format(runs_plugins=runs_plugins)

    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)

    lines = ("program", "shell")
    assert done.stdout.splitlines() == [*(() if runs_plugins else lines), "result"]
    assert done.stderr.splitlines() == list(lines if runs_plugins else ())


@pytest.mark.parametrize("name", ["score", "robustness", "caption", "collect_captions"])
def test_commands_that_run_plugins_say_so(name: str) -> None:
    assert load_command_class("studies", name).runs_plugins
