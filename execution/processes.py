"""Worker processes of this machine."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def blocking_ctrl_c() -> Iterator[None]:
    """Make worker processes that this thread starts inside ignore Ctrl-C from their first moment.

    Otherwise one that is still importing modules prints a traceback. Ctrl-C in this process is handled at the end.
    """
    # Its start would undo what follows.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def follow_parent() -> None:
    """Make this worker process ignore Ctrl-C and end when its parent process ends."""
    # Ctrl-C is sent to all processes of the terminal; only the parent should report it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    # If the parent is killed it cannot stop its pool, and the workers would wait for tasks indefinitely.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
