"""Django's PostgreSQL backend, but a connection that lay idle is looked at before the server is asked about it."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks whether an idle connection has anything to read.

    A server that went away has closed the connection or said that it would, and both can be read. Where there is
    nothing to read, the connection is taken for sound, and a request is spared the round trip of a `SELECT 1`.
    """

    def close_if_health_check_failed(self) -> None:
        if self.connection is not None and not has_something_to_read(self.connection.fileno()):
            return
        super().close_if_health_check_failed()


def has_something_to_read(descriptor: int) -> bool:
    """Tell, without waiting, whether a socket holds bytes, was closed by its peer, or is broken."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
