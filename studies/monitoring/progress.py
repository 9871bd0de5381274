"""How far a study is, rater by rater, for its overview: counted at once in a small study, in a large one by a worker.

Counting half a million judgments and places takes tenths of a second, so what was counted is kept for all who look,
for five seconds or ten times as long as it took; it always says when it was counted.
"""

import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.utils import timezone
from django_tasks import task

from studies.analysis.awaiting import Moment, Question
from studies.design.studies import Progress, measure_progress
from studies.models import Study
from studies.monitoring.raters import RaterTotal, total_raters

LEAST_AGE: Final = timedelta(seconds=5)
_TIMES: Final = 10


@dataclass(frozen=True, slots=True)
class CountedProgress:
    """Places, and what each rater has given; `seconds` is what counting took."""

    progress: Progress
    raters: tuple[RaterTotal, ...]
    counted_at: datetime
    seconds: float = 0.0

    @property
    def n_judgments(self) -> int:
        return sum(rater.n_judgments for rater in self.raters)

    @property
    def last_judgment(self) -> datetime | None:
        return max((rater.last_judgment for rater in self.raters if rater.last_judgment), default=None)

    def is_young(self, now: datetime) -> bool:
        return now - self.counted_at < max(LEAST_AGE, timedelta(seconds=_TIMES * self.seconds))


def find_progress(study: Study, *, now: datetime, wait: bool = False, is_poll: bool = False) -> CountedProgress | None:
    """Return what was counted last, and have it counted anew if that is a while ago; None before the first time.

    Args:
        study: The study; a small one is counted here and now.
        now: The time.
        wait: Whether to count here.
        is_poll: Whether a page waits for it already: then it is counted here if nobody works.
    """
    if wait or Moment(study).is_small:
        return _count(study, now=now)
    kept: CountedProgress | None = cache.get(_name(study.pk))
    if kept is not None and kept.is_young(now):
        return kept
    question = Question(_name(study.pk))
    nobody_works = question.ask(lambda: count_progress.enqueue(study_pk=study.pk), now=now)
    if nobody_works and (is_poll or kept is not None):
        question.close()
        return _keep(study, now=now)
    found: CountedProgress | None = cache.get(_name(study.pk))
    return found


@task()
def count_progress(study_pk: int) -> None:
    """Count in a worker process."""
    study = Study.objects.filter(pk=study_pk).first()
    if study is not None:
        _keep(study, now=timezone.now())
    Question(_name(study_pk)).close()


def _keep(study: Study, *, now: datetime) -> CountedProgress:
    began = time.monotonic()
    counted = _count(study, now=now)
    counted = replace(counted, seconds=time.monotonic() - began)
    cache.set(_name(study.pk), counted)
    return counted


def _count(study: Study, *, now: datetime) -> CountedProgress:
    return CountedProgress(measure_progress([study])[study.pk], total_raters(study), counted_at=now)


def _name(pk: int) -> str:
    return f"progress:{pk}"
