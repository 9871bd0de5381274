"""Values that take longer to compute than a page may take, cached with the date of the judgments that they are from.

A page calls `find_cached` and shows the result: a current value, an older one with its date, or a note that it is
pending. Values from many judgments are computed by a job, of a kind that `register_value` makes, which stores the
value with a digest of its judgments.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from jobs.enums import JobState
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import find_job, identify_payload, queue_once
from jobs.results import Result, find_result, make_here, make_result
from jobs.running_job import JobHandle
from jobs.worker.claiming import is_left
from studies.analysis.fingerprint import fingerprint_judgments, fingerprint_setting, join_fingerprints
from studies.enums import StudyState
from studies.models import Judgment, Study

Value = TypeVar("Value")

MOST_JUDGMENTS: Final = 20_000
"""The maximum number of judgments from which a page computes by itself, which takes a few tenths of a second."""

KEEP_FACTOR: Final = 20
QUICK_SECONDS: Final = 0.25
"""Values for open studies that take longer than this are cached for a multiple of that time, others not at all."""

PATIENCE: Final = timedelta(minutes=10)
"""The time after which a failed computation is repeated for the same judgments."""

MOST_SECONDS: Final = 1800.0
KEPT: Final = timedelta(hours=1)
"""Jobs of results are many, and of no interest after they have succeeded."""


class StudyInputs:
    """What cached values of a study depend on; each part is read when first needed, once per page."""

    def __init__(self, study: Study) -> None:
        self.study = study

    @cached_property
    def setting(self) -> str:
        """A digest of everything that results depend on except the judgments."""
        return fingerprint_setting(self.study)

    @cached_property
    def judgments(self) -> str:
        """A digest that changes with every judgment."""
        return fingerprint_judgments(self.study)

    @cached_property
    def results(self) -> str:
        """A digest of everything that results depend on, as of `fingerprint_results`."""
        return join_fingerprints(self.setting, self.judgments)

    @cached_property
    def is_small(self) -> bool:
        """Whether a page may compute from its judgments."""
        # Count only up to the limit.
        given = Judgment.objects.filter(rater__study=self.study).order_by()
        return given[: MOST_JUDGMENTS + 1].count() <= MOST_JUDGMENTS


@dataclass(frozen=True, slots=True)
class CachedValue(Generic[Value]):
    """The newest value available.

    Attributes:
        made: None before the first.
        as_of: When it was computed, if its judgments have changed since; None if it is current.
        is_pending: Whether a job computes a newer one.
        has_failed: Whether the last job failed.
        job: The job, if one is pending.
    """

    made: Value | None
    as_of: datetime | None = None
    is_pending: bool = False
    has_failed: bool = False
    job: Job | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class ValueRequest(Generic[Value]):
    """A request for a cached value.

    Attributes:
        name: Changes with everything that the value depends on except the judgments; at most 100 characters.
        inputs: The study and its judgments.
        make: Computes the value.
        payload: The job's payload, from which a worker makes the same request.
        is_quick: Whether a page may compute it from few judgments; otherwise always a job does.
    """

    name: str
    inputs: StudyInputs
    make: Callable[[], Value]
    payload: Mapping[str, Any]
    is_quick: bool = True

    @property
    def job_key(self) -> str:
        """The key of its job, which is the same whatever the judgments and the setting: one job waits for all."""
        return identify_payload(self.payload)

    @property
    def state(self) -> str:
        """A digest of everything that the value depends on."""
        return join_fingerprints(self.name, self.inputs.judgments)

    @property
    def is_for_page(self) -> bool:
        """Whether a page may compute it."""
        return self.is_quick and self.inputs.is_small


def make_kind(name: str, *, title: str, work: Callable[[JobHandle, Study], None], lane: str = "results") -> Kind:
    """Return a kind of job that calls `work` with the study of its payload, unless the study was deleted."""

    def work_on_study(handle: JobHandle) -> None:
        study = Study.objects.select_related("dataset").filter(pk=handle.payload["study"]).first()
        if study is not None:
            work(handle, study)

    return Kind(name=name, title=title, lane=lane, work=work_on_study, seconds=MOST_SECONDS, kept=KEPT, stays=True)


def register_value(name: str, *, title: str, request: Callable[[JobHandle, Study], ValueRequest[Any] | None]) -> Kind:
    """Register a kind of job that refreshes the value which `request` asks for, from the job's payload and study."""

    def work(handle: JobHandle, study: Study) -> None:
        if (asked := request(handle, study)) is not None:
            refresh_cached(asked, now=handle.now())

    return register(make_kind(name, title=title, work=work))


def refresh_cached(request: ValueRequest[Any], *, now: datetime) -> None:
    """Compute a value in a worker process and store it, unless a current one has been stored meanwhile."""
    kept = find_result(request.name)
    if kept is None or kept.fingerprint != request.inputs.judgments:
        _make(request, now=now)


def find_cached(
    kind: Kind,
    request: ValueRequest[Value],
    *,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    clock: Callable[[], float] = time.perf_counter,
) -> CachedValue[Value]:
    """Return the newest value available, and have a newer one computed if it is out of date.

    Args:
        kind: The kind of job that calls `refresh_cached`.
        request: The value requested.
        wait: Whether to compute in this process, however long it takes.
        is_poll: Whether a page polls for the value; it is then computed in this process if no worker is running.
        clock: Seconds, to measure how long computing takes.
    """
    inputs = request.inputs
    kept: Result[Value] | None = find_result(request.name)
    if kept is not None and not wait and inputs.study.state == StudyState.OPEN and _is_young(kept, now):
        return _tell(kept)
    job = find_job(kind, key=request.job_key) if kept is None and not wait else None
    if job is not None and _is_awaited(job, is_poll=is_poll, now=now):
        return _tell(None, job=job)
    if kept is not None and kept.fingerprint == inputs.judgments:
        return CachedValue(kept.value)
    if request.is_for_page and (kept is None or kept.seconds < QUICK_SECONDS):
        # Two processes may compute it at the same time; that costs less than a job.
        return CachedValue(_make(request, now=now, clock=clock))
    if not wait and not request.is_for_page:
        # Where there is no value, the job has been looked up above.
        job = job if kept is None else find_job(kind, key=request.job_key)
        if job is None or not job.is_under_way or _is_awaited(job, is_poll=is_poll, now=now):
            return _ask(kind, request, kept, job, now=now)
    queue_once(kind, key=request.job_key, payload=_write_payload(request), now=now)
    made = make_here(kind, key=request.job_key, make=lambda: _make(request, now=now, clock=clock), now=now)
    if made is not None:
        return CachedValue(made)
    # Another process computes it; an older value is shown meanwhile, if there is one.
    return _tell(kept) if kept is not None or not wait else CachedValue(_make(request, now=now, clock=clock))


def _ask(
    kind: Kind, request: ValueRequest[Value], kept: Result[Value] | None, job: Job | None, *, now: datetime
) -> CachedValue[Value]:
    """Queue a job for a value, unless one is queued or running or has just failed."""
    if job is None or not job.is_under_way:
        if job is not None and _has_failed(job, request, now=now):
            return _tell(kept, has_failed=True)
        job = queue_once(kind, key=request.job_key, payload=_write_payload(request), now=now)
    return _tell(kept, job=job)


def _write_payload(request: ValueRequest[Any]) -> dict[str, Any]:
    return {**request.payload, "state": request.state}


def _is_awaited(job: Job, *, is_poll: bool, now: datetime) -> bool:
    return job.is_under_way and not (is_poll and is_left(job, now=now))


def _has_failed(job: Job, request: ValueRequest[Any], *, now: datetime) -> bool:
    """Whether a job failed recently, on the same judgments and setting."""
    is_recent = job.finished_at is not None and now - job.finished_at < PATIENCE
    return job.state in (JobState.FAILED, JobState.LOST) and is_recent and job.payload.get("state") == request.state


def _is_young(kept: Result[Value], now: datetime) -> bool:
    return kept.seconds >= QUICK_SECONDS and kept.is_young(now, factor=KEEP_FACTOR)


def _tell(kept: Result[Value] | None, *, job: Job | None = None, has_failed: bool = False) -> CachedValue[Value]:
    as_of = kept.made_at if kept else None
    return CachedValue(kept.value if kept else None, as_of, is_pending=job is not None, has_failed=has_failed, job=job)


def _make(request: ValueRequest[Value], *, now: datetime, clock: Callable[[], float] = time.perf_counter) -> Value:
    # Read before computing, so that a judgment that arrives meanwhile marks the value as out of date.
    judgments = request.inputs.judgments
    return make_result(request.name, request.make, fingerprint=judgments, now=now, clock=clock)
