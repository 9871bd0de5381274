"""A limit for the time of a call in this process."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """A call took too long; no `except Exception` of a plugin catches it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in the code that runs after this time.

    There is no limit if `seconds` is 0, outside the main thread, and where the system has no alarms (Windows). Compiled
    code is interrupted when it returns to Python.
    """
    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _stop(_: int, __: FrameType | None) -> None:
    raise OutOfTime
