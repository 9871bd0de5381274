"""Work of the explorer that outlasts a request: each piece a job, and what is made by then kept step by step."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultRow
from jobs.enums import JobState
from jobs.errors import WorkFailed
from jobs.handle import JobHandle
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requesting import find_job, queue_once
from jobs.results import find_result, keep_result
from studies.analysis.awaiting import PATIENCE, make_kind
from studies.analysis.exploring.choice import Choice, read_json
from studies.analysis.exploring.exploring import Explored, explore, explore_multiverse, explore_whole
from studies.analysis.exploring.opening import NothingToExplore, OpenedStudy, open_study
from studies.enums import WorkState
from studies.models import Study

_BEGUN: Final = "reading the judgments"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is.

    Attributes:
        state: `waiting` for a worker, `running`, `done` or `failed`.
        what, n_done, n_steps: The step that began last, how many are done, and how many there are.
        made: What was made so far; of a report the rows with intervals stand among those without.
        problem: Why it failed.
    """

    state: str
    made: Any = None
    what: str = ""
    n_done: int = 0
    n_steps: int = 0
    problem: str = ""

    @property
    def is_over(self) -> bool:
        return self.state in (WorkState.DONE, WorkState.FAILED)

    @property
    def mark(self) -> str:
        """A short text that changes with every step."""
        return f"{self.state}-{self.n_done}"


def ask(kind: Kind, choice: Choice, *, study: Study, name: str, made: Any, now: datetime) -> Progress:
    """Have the work of that name done unless it is under way or has just failed, and return how far it is.

    Args:
        kind: `INTERVALS` or `MULTIVERSE`.
        choice: What was chosen.
        study: Where it was asked for.
        name: From `identify`.
        made: What there is to show until then.
        now: When.
    """
    job = find_job(kind, key=name)
    if job is None or not (job.is_under_way or _has_just_failed(job, now=now)):
        if made is not None:
            keep_result(name, made, now=now)
        job = queue_once(kind, key=name, payload={"study": study.pk, "choice": choice.to_json()}, now=now)
    return _tell(job, made)


def find_progress(kind: Kind, name: str, *, study: Study) -> Progress | None:
    """Return how far the work of that name is; None if it was never asked for in this study, or nothing is left."""
    job = find_job(kind, key=name)
    if job is None or job.payload["study"] != study.pk:
        return None
    progress = _tell(job, None)
    return None if progress.state == WorkState.DONE and progress.made is None else progress


def _has_just_failed(job: Job, *, now: datetime) -> bool:
    is_recent = job.finished_at is not None and now - job.finished_at < PATIENCE
    return job.state in (JobState.FAILED, JobState.LOST) and is_recent


def _tell(job: Job, made: Any) -> Progress:
    found = find_result(job.key)
    state = WorkState.of_job(job.state)
    made = found.value if found else made
    return Progress(state, made, job.message, job.n_done, job.n_total, job.problem)


def _work_on_intervals(handle: JobHandle, opened: OpenedStudy, choice: Choice) -> Explored:
    def publish(rows: list[ResultRow]) -> None:
        found = find_result(handle.job.key)
        made = found.value if found else explore(opened, choice)
        keep_result(handle.job.key, put_rows(made, rows), now=handle.now())

    def watch(what: str, n_done: int, n_steps: int) -> None:
        handle.report(what, n_done=n_done, n_total=n_steps)

    return explore_whole(opened, choice, watch=watch, publish=publish)


def _work_on_multiverse(_: JobHandle, opened: OpenedStudy, choice: Choice) -> Any:
    return explore_multiverse(opened, choice)


def _work_by(do: Callable[[JobHandle, OpenedStudy, Choice], Any]) -> Callable[[JobHandle, Study], None]:
    def work(handle: JobHandle, study: Study) -> None:
        choice = read_json(handle.payload["choice"])
        handle.report(_BEGUN)
        try:
            made = do(handle, open_study(study, protocol=choice.protocol), choice)
        except (NothingToExplore, CorrelationInputError) as error:
            raise WorkFailed(str(error)) from error
        keep_result(handle.job.key, made, now=handle.now())

    return work


INTERVALS: Final = register(
    make_kind("intervals", title="Computing intervals", work=_work_by(_work_on_intervals), lane="explorer")
)
MULTIVERSE: Final = register(
    make_kind("multiverse", title="Ranking in every way", work=_work_by(_work_on_multiverse), lane="explorer")
)


def put_rows(explored: Explored, rows: list[ResultRow]) -> Explored:
    """Return the same with these rows in the place of those of the same metric and measure.

    Whether a metric is above the ceiling stays told: neither the value nor the ceiling changes.
    """
    new = {(row.metric, row.measure): row for row in rows}
    report = explored.report
    placed = tuple(
        replace(found, is_above_ceiling=row.is_above_ceiling) if (found := new.get((row.metric, row.measure))) else row
        for row in report.rows
    )
    return replace(explored, report=replace(report, rows=placed))
