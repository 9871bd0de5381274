"""Worker processes of this machine."""

import multiprocessing
import os
import signal
import threading


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
