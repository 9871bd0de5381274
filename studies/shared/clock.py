"""The clock that raters' pages read: the time of day, except in a simulation, which passes its own.

A request cannot set it: it stands in the context of the code that runs, not in anything that a client sends.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Final

from django.utils import timezone

_CLOCK: Final[ContextVar[Callable[[], datetime] | None]] = ContextVar("clock", default=None)


def read_clock() -> datetime:
    """Return the time by the clock of this context; the time of day if none was passed."""
    clock = _CLOCK.get()
    return clock() if clock else timezone.now()


@contextmanager
def use_clock(clock: Callable[[], datetime]) -> Iterator[None]:
    """Let raters' pages that are called inside read this clock."""
    before = _CLOCK.set(clock)
    try:
        yield
    finally:
        _CLOCK.reset(before)
