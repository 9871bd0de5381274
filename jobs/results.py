"""What was computed, kept for pages: each value with the fingerprint of what it was made from, and its date.

It may be lost at any time, and decides nothing: who computes a value is said by its job, a row of the database.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.core.cache import cache

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Result(Generic[Value]):
    """A value, what it was made from, when, and how many seconds that took."""

    value: Value
    fingerprint: str
    made_at: datetime
    seconds: float = 0.0

    def is_young(self, now: datetime, *, factor: float, least: timedelta = timedelta()) -> bool:
        """Whether it is younger than so many times what it took, or than the least age."""
        return now - self.made_at < max(least, timedelta(seconds=factor * self.seconds))


def find_result(name: str) -> Result[Any] | None:
    """Return what was kept last under this name; None if nothing was, or it is lost."""
    found: Result[Any] | None = cache.get(_make_key(name))
    return found


def keep_result(name: str, value: Value, *, now: datetime, fingerprint: str = "", seconds: float = 0.0) -> Value:
    """Keep a value for every process and return it."""
    cache.set(_make_key(name), Result(value, fingerprint, made_at=now, seconds=seconds))
    return value


def make_result(
    name: str,
    make: Callable[[], Value],
    *,
    now: datetime,
    fingerprint: str = "",
    clock: Callable[[], float] = time.perf_counter,
) -> Value:
    """Make a value, keep it with how long that took, and return it."""
    began = clock()
    value = make()
    return keep_result(name, value, now=now, fingerprint=fingerprint, seconds=clock() - began)


def _make_key(name: str) -> str:
    return f"result:{name}"
