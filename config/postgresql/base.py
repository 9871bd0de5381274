"""Django's PostgreSQL backend, which first checks the socket of an idle connection before it queries the server."""

import select
from typing import Any

from django.db.backends.postgresql import base

from studies.shared.errors import DatabaseUnavailable


class DatabaseWrapper(base.DatabaseWrapper):
    """Checks whether the socket of an idle connection is readable.

    If the server has gone away, it has closed the connection or announced it, so the socket is readable. If it is not,
    the connection is considered usable, which saves the round trip of `SELECT 1` for each request.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except self.Database.OperationalError as error:
            # The driver's messages have several lines.
            raise DatabaseUnavailable(" ".join(str(error).split())) from error

    def close_if_health_check_failed(self) -> None:
        if self.connection is not None and not has_something_to_read(self.connection.fileno()):
            return
        super().close_if_health_check_failed()


def has_something_to_read(descriptor: int) -> bool:
    """Return, without waiting, whether a socket has data to read, was closed by its peer, or is broken."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
