"""Stores the counts and snapshots of the monitoring page for all viewers; slow ones are computed by a job."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from jobs.registry import register
from jobs.results import ask_worker, find_result, make_here, make_timed_result
from studies.analysis.cached_results import StudyInputs, make_kind
from studies.models import Judgment, Study
from studies.monitoring.live.counts import MonitoringCounts, count_study
from studies.monitoring.live.snapshot import Snapshot, watch_study

LEAST_AGE: Final = timedelta(seconds=5)
_TIMES: Final = 10
QUICK_SECONDS: Final = 0.05
"""Counts that take at most this long are computed in the request."""


def load_counts(study: Study, *, now: datetime, wait: bool = False) -> MonitoringCounts:
    """Return new counts if counting is quick, otherwise the stored ones, queueing a job if they are old.

    Their age is at most five seconds, or ten times the duration of counting, plus the time of the job.
    """
    kept = find_result(_name_counts(study))
    if kept is None or wait:
        return _count(study, now=now)
    counts: MonitoringCounts = kept.value
    if kept.made_at <= now and kept.is_young(now, factor=_TIMES, least=LEAST_AGE):
        return counts
    if kept.seconds <= QUICK_SECONDS:
        return _count(study, now=now)
    return _ask_for_counts(study, now=now) or counts


def find_counts(study: Study, *, now: datetime, wait: bool = False, is_poll: bool = False) -> MonitoringCounts | None:
    """Return counts as `load_counts` does; None before the first count of a large study, which a job computes.

    With `is_poll`, for a page that is already waiting, they are counted here if no worker is running.
    """
    if wait or find_result(_name_counts(study)) is not None or StudyInputs(study).is_small:
        return load_counts(study, now=now, wait=wait)
    return _ask_for_counts(study, now=now, is_poll=is_poll)


def _ask_for_counts(study: Study, *, now: datetime, is_poll: bool = True) -> MonitoringCounts | None:
    """Queue a job to count; for a poll, count here if no worker is running."""
    name = _name_counts(study)
    nobody_works = ask_worker(COUNTS, key=name, payload={"study": study.pk}, now=now)
    return (
        make_here(COUNTS, key=name, make=lambda: _count(study, now=now), now=now) if nobody_works and is_poll else None
    )


def _count(study: Study, *, now: datetime) -> MonitoringCounts:
    return make_timed_result(_name_counts(study), lambda: count_study(study, now=now), now=now)


COUNTS: Final = register(
    make_kind(
        "monitoring-counts",
        title="Counting judgments for the monitoring page",
        work=lambda handle, study: _count(study, now=handle.now()),
    )
)


def _name_counts(study: Study) -> str:
    return f"monitoring-counts:{study.pk}"


@dataclass(frozen=True, slots=True)
class Watched:
    """The newest snapshot, None before the first, and whether a newer one is being computed."""

    snapshot: Snapshot | None
    is_pending: bool


def load_snapshot(study: Study, *, now: datetime, wait: bool = False) -> Watched:
    """Return the newest snapshot, and queue a job for another if it is old; `wait` computes it here."""
    newest = find_newest(study)
    found = find_result(_name_snapshot(study))
    kept: Snapshot | None = found.value if found else None
    if kept is not None and not kept.is_old(newest=newest, now=now) and not (wait and kept.newest != newest):
        return Watched(kept, is_pending=False)
    if wait:
        return Watched(_make(study, now=now), is_pending=False)
    ask_worker(SNAPSHOT, key=_name_snapshot(study), payload={"study": study.pk}, now=now)
    return Watched(kept, is_pending=True)


def find_newest(study: Study) -> int:
    """Return the primary key of the newest judgment, 0 if there is none."""
    found = Judgment.objects.filter(rater__study=study).order_by("-pk").values_list("pk", flat=True).first()
    return found or 0


def _make(study: Study, *, now: datetime) -> Snapshot:
    return make_timed_result(
        _name_snapshot(study), lambda: watch_study(study, newest=find_newest(study), now=now), now=now
    )


SNAPSHOT: Final = register(
    make_kind(
        "monitoring-snapshot",
        title="Computing agreement and quality",
        work=lambda handle, study: _make(study, now=handle.now()),
    )
)


def _name_snapshot(study: Study) -> str:
    return f"monitoring-snapshot:{study.pk}"
