"""Ctrl-Z: worker processes stop with the process that started them, and continue with it."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from types import FrameType


def pause_workers_at_ctrl_z() -> Callable[[], None]:
    """Make Ctrl-Z (SIGTSTP) stop the worker processes of this process, too, which lead sessions of their own.

    They continue when this process does. Programs that they started are not stopped: each finishes what it was asked to
    do, since its time limit goes on, and the process that guards it must be able to end it.

    Returns:
        What undoes it. Outside the main thread, or where SIGTSTP is ignored or handled already, nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTSTP) != signal.SIG_DFL:
        return _do_nothing
    signal.signal(signal.SIGTSTP, _stop)
    return _undo


def _do_nothing() -> None:
    pass


def _undo() -> None:
    # A generator that opened the workers may be closed by another thread.
    with suppress(ValueError):
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)


def _stop(number: int, _: FrameType | None) -> None:
    workers = [worker.pid for worker in multiprocessing.active_children() if worker.pid is not None]
    # Not SIGTSTP, which has no effect on what leads a session.
    _send(workers, signal.SIGSTOP)
    try:
        signal.signal(number, signal.SIG_DFL)
        # Returns when this process continues; at once where no shell would continue it.
        signal.raise_signal(number)
        signal.signal(number, _stop)
    finally:
        _send(workers, signal.SIGCONT)


def _send(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
