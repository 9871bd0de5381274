"""A cache of values for pages, each with a fingerprint of its inputs and its date, and who computes them.

Entries may be lost at any time. They do not decide who computes a value: that is the row of its job.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import Field, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from django.core.cache import cache

from jobs.errors import JobStopped
from jobs.registry import Kind
from jobs.requests import find_job, queue_once
from jobs.running_job import JobHandle
from jobs.worker.claiming import claim_here, is_left

Value = TypeVar("Value")


class _TimedDataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def seconds(self) -> float: ...


Timed = TypeVar("Timed", bound=_TimedDataclass)


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


def make_timed_result(name: str, make: Callable[[], Timed], *, now: datetime) -> Timed:
    """Compute a value, set its `seconds` to the time taken, cache and return it."""
    began = time.monotonic()
    value = make()
    seconds = time.monotonic() - began
    return keep_result(name, replace(value, seconds=seconds), now=now, seconds=seconds)


def ask_worker(kind: Kind, *, key: str, payload: Mapping[str, Any], now: datetime) -> bool:
    """Queue a job unless one is queued or running; return whether one is queued that no worker takes."""
    job = find_job(kind, key=key, under_way=True)
    if job is None:
        queue_once(kind, key=key, payload=payload, now=now)
        return False
    return is_left(job, now=now)


def make_here(kind: Kind, *, key: str, make: Callable[[], Value], now: datetime) -> Value | None:
    """Run a queued job in this process; return None if another process runs it."""
    job = claim_here(kind, key=key, now=now)
    if job is None:
        return None
    handle = JobHandle(job, now=lambda: now)
    # If the lease expired, another worker computes the same value.
    with suppress(JobStopped):
        try:
            made = make()
        except Exception as error:
            handle.fail(f"an unexpected error occurred: {type(error).__name__}")
            raise
        handle.finish()
    return made


def _make_key(name: str) -> str:
    return f"result:{name}"
