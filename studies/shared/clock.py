"""The clock and the random generator of raters' pages, both of which a simulation replaces.

A request cannot set either of them: they are part of the context of the running code, not of anything that a client
sends.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from random import Random
from secrets import SystemRandom
from typing import Final

from django.utils import timezone

_CLOCK: Final[ContextVar[Callable[[], datetime] | None]] = ContextVar("clock", default=None)
_GENERATOR: Final[ContextVar[Random | None]] = ContextVar("generator", default=None)


def read_clock() -> datetime:
    """Return the time of the clock in this context; by default, the system's time."""
    clock = _CLOCK.get()
    return clock() if clock else timezone.now()


def get_generator() -> Random:
    """Return the random generator in this context; by default, the system's, whose output cannot be guessed."""
    return _GENERATOR.get() or SystemRandom()


@contextmanager
def use_clock(clock: Callable[[], datetime]) -> Iterator[None]:
    """Make `read_clock` read this clock inside the context."""
    before = _CLOCK.set(clock)
    try:
        yield
    finally:
        _CLOCK.reset(before)


@contextmanager
def use_generator(rng: Random) -> Iterator[None]:
    """Make `get_generator` return this generator inside the context."""
    before = _GENERATOR.set(rng)
    try:
        yield
    finally:
        _GENERATOR.reset(before)
