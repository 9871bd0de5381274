"""The report that a study's pages open with: its own protocol, with the default intervals, tests and human ceilings.

A run of metrics has it computed as its last step; a page requests it if it is not there. The explorer without any
choice shows the same report.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from correlation.errors import CorrelationInputError
from correlation.reports import Report
from jobs.enums import JobState
from jobs.errors import WorkFailed
from jobs.registry import register
from jobs.requests import find_job, queue_once
from jobs.running_job import JobHandle
from studies.analysis.cached_results import StudyInputs, make_kind
from studies.analysis.explorer.choice import Choice, find_base
from studies.analysis.explorer.loaded_study import Facets, NothingToExplore, OpenedStudy, hash_facts, open_study
from studies.analysis.explorer.report import explore_whole, find_whole
from studies.enums import StudyState
from studies.models import Study
from studies.shared.default_report import DEFAULT_REPORT as NAME


@dataclass(frozen=True, slots=True)
class ShownReport:
    """The default report; None while it is being computed (`is_pending`), or if there is none."""

    report: Report | None = None
    is_pending: bool = False


def find_default_report(study: Study, inputs: StudyInputs, *, now: datetime, wait: bool = False) -> ShownReport:
    """Return the current default report if it is cached; otherwise request it.

    Not requested are reports of large studies that are open, whose judgments change before it is computed, and reports
    whose computation has just failed for the same judgments.

    Args:
        study: The study, which has scores for its own protocol.
        inputs: Its current state.
        now: The time.
        wait: Whether to compute the report here.
    """
    try:
        opened = OpenedStudy(study, study, find_base(study, ""), inputs.results, Facets())
        found = find_whole(opened, Choice())
        if found is None and wait:
            found = explore_whole(open_study(study), Choice())
    except (NothingToExplore, CorrelationInputError):
        return ShownReport()
    if found is not None:
        return ShownReport(found.report)
    if study.state == StudyState.OPEN and not inputs.is_small:
        return ShownReport()
    key = f"{NAME}:{hash_facts(study.pk, inputs.results)}"
    job = find_job(KIND, key=key)
    if job is None:
        job = queue_once(KIND, key=key, payload={"study": study.pk}, now=now)
    return ShownReport(is_pending=job.state in (JobState.QUEUED, JobState.RUNNING))


def _work(handle: JobHandle, study: Study) -> None:
    def watch(what: str, n_done: int, n_steps: int) -> None:
        handle.report(what, n_done=n_done, n_total=n_steps)

    try:
        explore_whole(open_study(study), Choice(), watch=watch)
    except (NothingToExplore, CorrelationInputError) as error:
        raise WorkFailed(str(error)) from error


KIND: Final = register(make_kind(NAME, title="Computing the default intervals", work=_work, lane="explorer"))
