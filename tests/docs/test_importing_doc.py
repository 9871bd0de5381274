"""Tests of docs/importing.md: its tables are imported with its commands, and it names every format and field."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from studies.datasets.importing.formats import FORMATS
from studies.datasets.importing.tables.columns import FIELDS
from studies.models import Judgment, Study

PAGE = (Path(__file__).resolve().parents[2] / "docs/importing.md").read_text()
TABLES = re.findall(r"```csv\n(image,.*?)```", PAGE, re.DOTALL)
COMMANDS = [
    shlex.split(line.removeprefix("$ python manage.py "))
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    for line in block.replace("\\\n", " ").splitlines()
]
WITH_TABLE = [command for command in COMMANDS if {"ratings.csv", "pairs.csv"} & set(command)]


@pytest.mark.django_db
@pytest.mark.parametrize(("table", "command"), list(zip(TABLES, WITH_TABLE, strict=True)), ids=["ratings", "pairs"])
def test_example_imports(table: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(command[command.index("--from") + 1]).write_text(table)

    call_command(*command)

    study = Study.objects.get(name=command[command.index("--study") + 1])
    assert Judgment.objects.filter(item__task__study=study).count() == len(table.splitlines()) - 1


@pytest.mark.parametrize("name", [*FORMATS, *FIELDS])
def test_format_or_field_is_documented(name: str) -> None:
    assert f"`{name}`" in PAGE
