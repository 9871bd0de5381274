"""Tests of the command as run by a user."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from studies.models import Study

TABLE = "image,candidate,WHO,value\na,one,x,1\na,one,y,4\n"


def run(*arguments: object) -> str:
    stdout = StringIO()
    call_command("import_data", *map(str, arguments), stdout=stdout)
    return stdout.getvalue()


def test_prints_what_was_written(db: None, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)

    printed = run("table", "--from", path, "--study", "mine", "--column", "rater=WHO", "--scale", "1-4")
    assert printed == (
        "study mine (custom@1): 2 rows read; 1 image, 0 references, 1 candidate, 1 item, 2 raters, 2 judgments\n"
    )
    assert Study.objects.get().name == "mine"


def test_fails_in_one_line(db: None, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(TABLE.replace(",4", ",5"))

    with pytest.raises(CommandError) as caught:
        run("table", "--from", path, "--scale", "1-4", "--ignore-columns")
    assert str(caught.value) == "t.csv, line 3, field value: must be one of 1, 2, 3, 4, got '5'"
    assert caught.value.returncode == 1
    assert not Study.objects.exists()


def test_knows_its_formats(db: None) -> None:
    with pytest.raises(CommandError, match="invalid choice: 'excel'"):
        run("excel", "--from", ".")
