"""Make or update the tables, as Django's command does, in a file of SQLite that need not exist."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import DatabaseError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from jobs.management.checks import CHECKS_WITHOUT_PAGES


class Command(migrate.Command):
    requires_system_checks = CHECKS_WITHOUT_PAGES

    def execute(self, *args: Any, **options: Any) -> str | None:
        connection = connections[options["database"]]
        made = _make_file(connection)
        try:
            result = super().execute(*args, **options)
        finally:
            if made:
                _delete_empty(made, connection)
        if options["plan"] or options["check_unapplied"]:
            return result
        # The secrets that are not in the environment become files now, not when somebody happens to need them: these
        # files belong in a backup.
        _ = str(settings.SECRET_KEY), str(settings.ACCORDANCE_IDENTITY_KEY)
        return result


def _make_file(connection: BaseDatabaseWrapper) -> Path | None:
    """Return the file of SQLite that was made, empty as a database without tables; None if there was one.

    Raises:
        CommandError: if it cannot be made, as where its folder does not exist.
    """
    if connection.vendor != "sqlite" or connection.is_in_memory_db():
        return None
    path = Path(connection.settings_dict["NAME"])
    if path.exists():
        return None
    # Before the checks, which connect.
    try:
        path.touch()
    except OSError as error:
        raise CommandError(f"cannot make the database {path}, which DATABASE_URL names: {error.strerror}") from error
    return path


def _delete_empty(path: Path, connection: BaseDatabaseWrapper) -> None:
    """Delete the file if no table was made: the command has failed or only read."""
    with suppress(DatabaseError):
        if not connection.introspection.table_names():
            connection.close()
            path.unlink()
