"""Make or update the tables, as Django's command does, in a file of SQLite that need not exist."""

from pathlib import Path
from typing import Any

from django.core.management.commands import migrate
from django.db import connections


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        connection = connections[options["database"]]
        # Before the checks, which connect. An empty file is a database without tables.
        if connection.vendor == "sqlite" and not connection.is_in_memory_db():
            Path(connection.settings_dict["NAME"]).touch()
        return super().execute(*args, **options)
