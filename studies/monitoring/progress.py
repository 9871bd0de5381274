"""The progress of a study by rater, for its overview; counted by a job if the study is large.

Counting half a million judgments and slots takes tenths of a second, so the counts are stored for all viewers, for
five seconds or ten times the duration of counting, with their date.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from jobs.registry import register
from jobs.results import ask_worker, find_result, make_here, make_timed_result
from studies.analysis.cached_results import StudyInputs, make_kind
from studies.design.study_lists import StudyProgress, measure_progress
from studies.models import Study
from studies.monitoring.raters import RaterTotal, total_raters

LEAST_AGE: Final = timedelta(seconds=5)
_TIMES: Final = 10


@dataclass(frozen=True, slots=True)
class CountedProgress:
    """The numbers of slots and of each rater's judgments; `seconds` is how long counting took."""

    progress: StudyProgress
    raters: tuple[RaterTotal, ...]
    counted_at: datetime
    seconds: float = 0.0

    @property
    def n_judgments(self) -> int:
        return sum(rater.n_judgments for rater in self.raters)

    @property
    def last_judgment(self) -> datetime | None:
        return max((rater.last_judgment for rater in self.raters if rater.last_judgment), default=None)


def find_progress(study: Study, *, now: datetime, wait: bool = False, is_poll: bool = False) -> CountedProgress | None:
    """Return the stored counts, and have them renewed if they are old; None before the first count.

    Args:
        study: The study; a small one is counted here.
        wait: Whether to count here.
        is_poll: Whether a page is already waiting: then it is counted here if no worker is running.
    """
    if wait or StudyInputs(study).is_small:
        return _count(study, now=now)
    name = _name(study)
    kept = find_result(name)
    counted: CountedProgress | None = kept.value if kept else None
    if kept is not None and kept.is_young(now, factor=_TIMES, least=LEAST_AGE):
        return counted
    nobody_works = ask_worker(PROGRESS, key=name, payload={"study": study.pk}, now=now)
    if nobody_works and (is_poll or counted is not None):
        return make_here(PROGRESS, key=name, make=lambda: _keep(study, now=now), now=now) or counted
    return counted


PROGRESS: Final = register(
    make_kind("progress", title="Counting judgments", work=lambda handle, study: _keep(study, now=handle.now()))
)


def _keep(study: Study, *, now: datetime) -> CountedProgress:
    return make_timed_result(_name(study), lambda: _count(study, now=now), now=now)


def _count(study: Study, *, now: datetime) -> CountedProgress:
    return CountedProgress(measure_progress([study])[study.pk], total_raters(study), counted_at=now)


def _name(study: Study) -> str:
    return f"progress:{study.pk}"
