"""Django's SQLite backend, which refuses to connect to a file that does not exist."""

from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

from studies.shared.errors import DatabaseUnavailable


class DatabaseWrapper(base.DatabaseWrapper):
    """Connects only to files that exist; `migrate` makes them.

    SQLite would make an empty file, so that a command in a wrong folder would leave one there.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if not self.is_in_memory_db() and not Path(conn_params["database"]).exists():
            raise DatabaseUnavailable(
                f"there is no database {conn_params['database']}: `migrate` makes it, and `demo` fills it with small "
                "studies"
            )
        try:
            return super().get_new_connection(conn_params)
        except self.Database.OperationalError as error:
            raise DatabaseUnavailable(f"{conn_params['database']}: {error}") from error
