"""Short lock timeouts for the dispatcher, which must not be blocked while it supervises several jobs."""

from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

LOCK_SECONDS: Final = 2
_STATEMENTS: Final = {
    "postgresql": f"SET lock_timeout = '{LOCK_SECONDS}s'",
    "sqlite": f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}",
}


def wait_little() -> None:
    """Set a lock timeout of two seconds on every connection opened from now on."""
    connection_created.connect(_set_limit, dispatch_uid=__name__)


def wait_as_usual() -> None:
    """Restore the lock timeout of the settings for connections opened from now on."""
    connection_created.disconnect(dispatch_uid=__name__)


def _set_limit(connection: BaseDatabaseWrapper, **_: Any) -> None:
    statement = _STATEMENTS.get(connection.vendor)
    if statement:
        with connection.cursor() as cursor:
            cursor.execute(statement)
