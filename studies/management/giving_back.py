"""Lets a worker of the background give back what it is at as soon as it is told to stop."""

import logging
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import DatabaseError, connection

from studies.scoring.requests.leasing import give_back

_SIGNALS: Final = frozenset({signal.SIGTERM, signal.SIGINT})
_LOOK_SECONDS: Final = 0.2


@contextmanager
def giving_back_when_told() -> Iterator[None]:
    """Give everything back from the first SIGTERM or SIGINT on, until the end of this; for the main thread.

    The worker would work on until it is killed a moment later, and what it is at would be taken for what killed it.
    """
    heard, told = socket.socketpair()
    told.setblocking(False)
    is_over = threading.Event()
    # Written to whatever the main thread is at: a handler of Python's would wait for the end of a long computation.
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    listening = threading.Thread(target=_listen, args=(heard, is_over), daemon=True)
    listening.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        is_over.set()
        told.close()
        # A worker that was idle ends at once: not in the middle of a write of the other thread's.
        listening.join()


def _listen(heard: socket.socket, is_over: threading.Event) -> None:
    with heard:
        while number := heard.recv(1):
            if number[0] in _SIGNALS:
                _give_back_until(is_over)


def _give_back_until(is_over: threading.Event) -> None:
    """Give back again and again: the worker may just be taking up another thing."""
    while True:
        try:
            give_back()
        except DatabaseError:
            logging.getLogger(__name__).exception("could not give back what the worker is at")
        finally:
            connection.close()
        if is_over.wait(_LOOK_SECONDS):
            return
