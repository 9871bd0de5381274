"""Worker processes of this machine."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from execution.process_groups import guard_own_group


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


def begin_worker() -> None:
    """Make this worker process end when its parent process ends, and the programs that it starts with it.

    It leads a session of its own, which Ctrl-C of the terminal does not reach: only the parent should report it.
    """
    os.setsid()
    guard_own_group()
    # One that came before is forgotten: programs that plugins start must neither ignore it nor have it blocked.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # If the parent is killed it cannot stop its pool, and workers would wait for tasks, or continue one, indefinitely.
    # A thread of the worker could not end it during a call that lets no other thread run.
    if (parent := multiprocessing.parent_process()) is not None:
        guard_own_group(watched=parent.sentinel)
