"""The desk's counts and snapshot, kept for all who watch; what takes long is made by a worker, once for all of them."""

import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.utils import timezone
from django_tasks import task

from studies.analysis.awaiting import Moment, Question
from studies.models import Judgment, Study
from studies.monitoring.desk.counting import DeskCounts, count_study
from studies.monitoring.desk.watching import Snapshot, watch_study

LEAST_AGE: Final = timedelta(seconds=5)
_TIMES: Final = 10
QUICK_SECONDS: Final = 0.05
"""Counts that take no longer are made for whoever asks."""


def load_counts(study: Study, *, now: datetime, wait: bool = False) -> DeskCounts:
    """Return the counts: new ones where counting is quick, else the last ones, and ask a worker for others.

    They are at most five seconds old, or ten times as old as counting takes, and what the worker needs.
    """
    kept: DeskCounts | None = cache.get(_name_counts(study.pk))
    if kept is None or wait:
        return _count(study, now=now)
    if timedelta() <= now - kept.counted_at < max(LEAST_AGE, timedelta(seconds=_TIMES * kept.seconds)):
        return kept
    if kept.seconds <= QUICK_SECONDS:
        return _count(study, now=now)
    question = Question(_name_counts(study.pk))
    if question.ask(lambda: make_counts.enqueue(study_pk=study.pk), now=now):
        question.close()
        return _count(study, now=now)
    return cache.get(_name_counts(study.pk)) or kept


def find_counts(study: Study, *, now: datetime, wait: bool = False, is_poll: bool = False) -> DeskCounts | None:
    """Return the counts as `load_counts` does; None before the first of a large study, which a worker makes.

    `is_poll` says that a page waits for them already: then they are counted here if nobody works.
    """
    if wait or cache.get(_name_counts(study.pk)) is not None or Moment(study).is_small:
        return load_counts(study, now=now, wait=wait)
    question = Question(_name_counts(study.pk))
    nobody_works = question.ask(lambda: make_counts.enqueue(study_pk=study.pk), now=now)
    if nobody_works and is_poll:
        return load_counts(study, now=now)
    found: DeskCounts | None = cache.get(_name_counts(study.pk))
    return found


@task()
def make_counts(study_pk: int) -> None:
    """Count in a worker process."""
    study = Study.objects.filter(pk=study_pk).first()
    if study is not None:
        _count(study, now=timezone.now())
    Question(_name_counts(study_pk)).close()


def _count(study: Study, *, now: datetime) -> DeskCounts:
    began = time.monotonic()
    counted = count_study(study, now=now)
    counts = replace(counted, seconds=time.monotonic() - began)
    cache.set(_name_counts(study.pk), counts)
    return counts


def _name_counts(pk: int) -> str:
    return f"desk-counts:{pk}"


@dataclass(frozen=True, slots=True)
class Watched:
    """The newest snapshot, None before the first, and whether a newer one is on its way."""

    snapshot: Snapshot | None
    is_on_its_way: bool


def load_snapshot(study: Study, *, now: datetime, wait: bool = False) -> Watched:
    """Return the newest snapshot, and ask for another if it is old; `wait` makes it here and now."""
    newest = find_newest(study)
    kept: Snapshot | None = cache.get(_name_snapshot(study.pk))
    if kept is not None and not kept.is_old(newest=newest, now=now) and not (wait and kept.newest != newest):
        return Watched(kept, is_on_its_way=False)
    if wait:
        return Watched(_make(study, now=now), is_on_its_way=False)
    question = Question(_name_snapshot(study.pk))
    question.ask(lambda: make_snapshot.enqueue(study_pk=study.pk), now=now)
    return Watched(cache.get(_name_snapshot(study.pk)), is_on_its_way=question.find() is not None)


def find_newest(study: Study) -> int:
    """Return the primary key of the newest judgment, 0 without any."""
    found = Judgment.objects.filter(rater__study=study).order_by("-pk").values_list("pk", flat=True).first()
    return found or 0


@task()
def make_snapshot(study_pk: int) -> None:
    """Make a snapshot in a worker process."""
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    try:
        if study is not None:
            _make(study, now=timezone.now())
    finally:
        Question(_name_snapshot(study_pk)).close()


def _make(study: Study, *, now: datetime) -> Snapshot:
    began = time.monotonic()
    made = watch_study(study, newest=find_newest(study), now=now)
    snapshot = replace(made, seconds=time.monotonic() - began)
    cache.set(_name_snapshot(study.pk), snapshot)
    return snapshot


def _name_snapshot(pk: int) -> str:
    return f"desk-snapshot:{pk}"
