"""What takes longer than a page may: made at once of few judgments, else by a worker, and told with its date.

A page asks with `find_known` and shows what it gets: the value of this moment, an older one with its date, or word
that it is on its way. It never computes from many judgments itself; a job does, of a kind made by `make_kind`, and
keeps the value with the state of the judgments that it is of. Who computes is said by the job's row.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from jobs.claiming import claim_here, is_left
from jobs.enums import JobState
from jobs.errors import JobStopped
from jobs.handle import JobHandle
from jobs.models import Job
from jobs.registry import Kind
from jobs.requesting import find_job, queue_once
from jobs.results import Result, find_result, make_result
from studies.analysis.fingerprint import fingerprint_judgments, fingerprint_setting
from studies.enums import StudyState
from studies.models import Judgment, Study

Made = TypeVar("Made")

MOST_JUDGMENTS: Final = 20_000
"""A page computes from so many judgments itself, which takes a few tenths of a second."""

KEEP_FACTOR: Final = 20
QUICK_SECONDS: Final = 0.25
"""Values of an open study are kept for so many times what they took; those that take less than this not at all."""

PATIENCE: Final = timedelta(minutes=10)
"""What failed is tried again of the same judgments after so long."""

MOST_SECONDS: Final = 1800.0
KEPT: Final = timedelta(hours=1)
"""Jobs of results are many, and tell nothing once they have ended well."""


class Moment:
    """A study as it is now, read when it is needed and once for a page."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def setting(self) -> str:
        """A digest of all that results depend on but judgments."""
        return fingerprint_setting(self.study)

    @cached_property
    def judgments(self) -> str:
        """A digest that changes with every judgment."""
        return fingerprint_judgments(self.study)

    @cached_property
    def is_small(self) -> bool:
        """Whether a page may compute from its judgments."""
        # Counted no further than it matters.
        given = Judgment.objects.filter(rater__study=self.study).order_by()
        return given[: MOST_JUDGMENTS + 1].count() <= MOST_JUDGMENTS


@dataclass(frozen=True, slots=True)
class Known(Generic[Made]):
    """What there is at this moment.

    Attributes:
        made: None before the first.
        as_of: The moment of which it is; None if it is of now.
        is_on_its_way: Whether a worker was asked for a newer one.
        has_failed: Whether a worker could not make it.
    """

    made: Made | None
    as_of: datetime | None = None
    is_on_its_way: bool = False
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class Wanted(Generic[Made]):
    """A value that is wanted.

    Attributes:
        name: Must change with everything that it depends on but the judgments; at most 100 characters.
        moment: The study whose judgments it is of.
        make: Computes it.
        payload: From what a worker finds the same again.
    """

    name: str
    moment: Moment
    make: Callable[[], Made]
    payload: Mapping[str, Any]


def make_kind(name: str, *, title: str, work: Callable[[JobHandle, Study], None], lane: str = "results") -> Kind:
    """Return a kind of job that computes something of the study of its payload; nothing if that is gone."""

    def work_on_study(handle: JobHandle) -> None:
        study = Study.objects.select_related("dataset").filter(pk=handle.payload["study"]).first()
        if study is not None:
            work(handle, study)

    return Kind(name=name, title=title, lane=lane, work=work_on_study, seconds=MOST_SECONDS, kept=KEPT, stays=True)


def make_known(wanted: Wanted[Any], *, now: datetime) -> None:
    """Make a value in a worker process and keep it, unless it was made meanwhile."""
    kept = find_result(wanted.name)
    if kept is None or kept.fingerprint != wanted.moment.judgments:
        _make(wanted, now=now)


def ask_worker(kind: Kind, *, key: str, payload: Mapping[str, Any], now: datetime) -> bool:
    """Have a worker do something unless one was asked already; return whether it was and nobody works."""
    job = find_job(kind, key=key, under_way=True)
    if job is None:
        queue_once(kind, key=key, payload=payload, now=now)
        return False
    return is_left(job, now=now)


def make_here(kind: Kind, *, key: str, make: Callable[[], Made], now: datetime) -> Made | None:
    """Do in this process what a worker was asked for; None if somebody else is at it."""
    job = claim_here(kind, key=key, now=now)
    if job is None:
        return None
    handle = JobHandle(job, now=lambda: now)
    # Whoever it was given to because it took so long makes the same.
    with suppress(JobStopped):
        try:
            made = make()
        except Exception as error:
            handle.fail(f"something unexpected broke it: {type(error).__name__}")
            raise
        handle.finish()
    return made


def find_known(
    kind: Kind,
    wanted: Wanted[Made],
    *,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> Known[Made]:
    """Return the newest value that there is, and see to it that a newer one is made if there should be.

    Args:
        kind: Of the job that calls `make_known`.
        wanted: What is wanted.
        now: The time.
        wait: Whether to compute here, however long it takes.
        is_poll: Whether it is asked for by what waits within a page: then it is computed here if nobody works.
        clock: Seconds, to measure how long computing takes.
    """
    moment = wanted.moment
    kept: Result[Made] | None = find_result(wanted.name)
    if kept is not None and not wait and moment.study.state == StudyState.OPEN and _is_young(kept, now):
        return _tell(kept)
    job = find_job(kind, key=wanted.name) if kept is None and not wait else None
    if job is not None and _is_awaited(job, is_poll=is_poll, now=now):
        return Known(None, is_on_its_way=True)
    if kept is not None and kept.fingerprint == moment.judgments:
        return Known(kept.value)
    if moment.is_small and (kept is None or kept.seconds < QUICK_SECONDS):
        # Twice at once does no harm, and is less than a job.
        return Known(_make(wanted, now=now, clock=clock))
    if not wait and not moment.is_small:
        # Without a value it was looked for already.
        job = job if kept is None else find_job(kind, key=wanted.name)
        if job is None or not job.is_under_way or _is_awaited(job, is_poll=is_poll, now=now):
            return _ask(kind, wanted, kept, job, now=now)
    queue_once(kind, key=wanted.name, payload=_write_payload(wanted), now=now)
    made = make_here(kind, key=wanted.name, make=lambda: _make(wanted, now=now, clock=clock), now=now)
    if made is not None:
        return Known(made)
    # One computes; the others need not wait for it where there is something to show.
    return _tell(kept) if kept is not None or not wait else Known(_make(wanted, now=now, clock=clock))


def _ask(kind: Kind, wanted: Wanted[Made], kept: Result[Made] | None, job: Job | None, *, now: datetime) -> Known[Made]:
    """Have a worker make a value, unless one is at it or has just failed."""
    if job is None or not job.is_under_way:
        if job is not None and _has_failed(job, wanted.moment, now=now):
            return _tell(kept, has_failed=True)
        queue_once(kind, key=wanted.name, payload=_write_payload(wanted), now=now)
    return _tell(kept, is_on_its_way=True)


def _write_payload(wanted: Wanted[Any]) -> dict[str, Any]:
    return {**wanted.payload, "judgments": wanted.moment.judgments}


def _is_awaited(job: Job, *, is_poll: bool, now: datetime) -> bool:
    return job.is_under_way and not (is_poll and is_left(job, now=now))


def _has_failed(job: Job, moment: Moment, *, now: datetime) -> bool:
    """Whether a job failed, not long ago and of these judgments."""
    is_recent = job.finished_at is not None and now - job.finished_at < PATIENCE
    return job.state in (JobState.FAILED, JobState.LOST) and is_recent and job.payload["judgments"] == moment.judgments


def _is_young(kept: Result[Made], now: datetime) -> bool:
    return kept.seconds >= QUICK_SECONDS and kept.is_young(now, factor=KEEP_FACTOR)


def _tell(kept: Result[Made] | None, *, is_on_its_way: bool = False, has_failed: bool = False) -> Known[Made]:
    if kept is None:
        return Known(None, is_on_its_way=is_on_its_way, has_failed=has_failed)
    return Known(kept.value, kept.made_at, is_on_its_way, has_failed)


def _make(wanted: Wanted[Made], *, now: datetime, clock: Callable[[], float] = time.perf_counter) -> Made:
    # Read before the value is made: judgments that come meanwhile make it an old one, and never a too new one.
    judgments = wanted.moment.judgments
    return make_result(wanted.name, wanted.make, fingerprint=judgments, now=now, clock=clock)
