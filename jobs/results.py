"""A cache of computed values for pages, each with a fingerprint of its inputs and its date.

Entries may be lost at any time. They do not decide who computes a value: that is the row of its job.
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
    """A cached value with the fingerprint of its inputs, its date and its computing time in seconds."""

    value: Value
    fingerprint: str
    made_at: datetime
    seconds: float = 0.0

    def is_young(self, now: datetime, *, factor: float, least: timedelta = timedelta()) -> bool:
        """Whether it is younger than `factor` times its computing time, or than `least`."""
        return now - self.made_at < max(least, timedelta(seconds=factor * self.seconds))


def find_result(name: str) -> Result[Any] | None:
    """Return the cached value of this name; None if there is none."""
    found: Result[Any] | None = cache.get(_make_key(name))
    return found


def keep_result(name: str, value: Value, *, now: datetime, fingerprint: str = "", seconds: float = 0.0) -> Value:
    """Cache a value for all processes and return it."""
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
    """Compute a value, cache it with its computing time, and return it."""
    began = clock()
    value = make()
    return keep_result(name, value, now=now, fingerprint=fingerprint, seconds=clock() - began)


def _make_key(name: str) -> str:
    return f"result:{name}"
