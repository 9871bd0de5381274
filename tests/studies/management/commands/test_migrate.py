"""Tests of making the tables where the file of the database does not exist yet."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from studies.management.commands import migrate


@pytest.fixture
def missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the command's database be a file in a folder that does not exist."""
    path = tmp_path / "missing" / "db.sqlite3"
    connection = SimpleNamespace(vendor="sqlite", is_in_memory_db=lambda: False, settings_dict={"NAME": path})
    monkeypatch.setattr(migrate, "connections", {"default": connection})
    return path


def test_a_folder_that_does_not_exist_is_told(missing: Path) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("migrate")

    assert str(refused.value) == (
        f"cannot make the database {missing}, which DATABASE_URL names: No such file or directory"
    )
    assert not missing.parent.exists()
