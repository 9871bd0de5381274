"""How long a worker waits for a database that another holds: not for long, since it looks after several jobs."""

from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

LOCK_SECONDS: Final = 2
_STATEMENTS: Final = {
    "postgresql": f"SET lock_timeout = '{LOCK_SECONDS}s'",
    "sqlite": f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}",
}


def wait_little() -> None:
    """Let every connection that this process opens from now on give up a lock after two seconds."""
    connection_created.connect(_set_limit, dispatch_uid=__name__)


def wait_as_usual() -> None:
    """Let connections that are opened from now on wait as the settings say."""
    connection_created.disconnect(dispatch_uid=__name__)


def _set_limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
    statement = _STATEMENTS.get(connection.vendor)
    if statement:
        with connection.cursor() as cursor:
            cursor.execute(statement)
