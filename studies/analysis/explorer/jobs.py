"""Jobs for long computations of the explorer, whose partial results are stored step by step."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultRow
from jobs.enums import UNDER_WAY, JobState
from jobs.errors import JobRefused, WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import cancel_job, find_job, queue_once
from jobs.results import find_result, keep_result
from jobs.running_job import JobHandle
from studies.analysis.cached_results import PATIENCE, make_kind
from studies.analysis.explorer.choice import Choice, read_json
from studies.analysis.explorer.loaded_study import NothingToExplore, OpenedStudy, open_study
from studies.analysis.explorer.report import Explored, explore, explore_multiverse, explore_whole
from studies.enums import WorkState
from studies.models import Study

MOST_PAGES: Final = 50
"""The most pages that a job notes."""
_BEGUN: Final = "reading the judgments"
REPLACED: Final = "not computed, because other options were chosen; choose Show to compute it"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a job.

    Attributes:
        state: `waiting` for a worker, `running`, `done` or `failed`.
        what, n_done, n_steps: The current step, the number of steps done, and the total.
        made: The result so far; a partial report has rows with and without intervals.
        problem: The reason of a failure, or of a cancellation.
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


def ask(
    kind: Kind, choice: Choice, *, study: Study, name: str, made: Any, now: datetime, page: str | None = None
) -> Progress:
    """Queue the named job unless it is under way or has just failed, and return its progress.

    The job notes which pages wait for it, for `leave_obsolete`.

    Args:
        kind: `INTERVALS` or `MULTIVERSE`.
        choice: The options.
        study: The study of the request.
        name: From `identify`.
        made: The result to show until then.
        page: The page that asks; None for a program, whose job no page cancels.
    """
    job = find_job(kind, key=name)
    if job is None or not (job.is_under_way or _has_just_failed(job, now=now)):
        if made is not None:
            keep_result(name, made, now=now)
        payload = {"study": study.pk, "choice": choice.to_json(), "pages": [page]}
        job = queue_once(kind, key=name, payload=payload, now=now)
        # Of concurrent requests, another one may have queued it.
        _note_page(job, page)
    elif job.is_under_way:
        _note_page(job, page)
    return _tell(job, made)


def _note_page(job: Job, page: str | None) -> None:
    """Note in the job under way of this kind and key that a page or a program waits for it."""
    if not _add(page, job.payload["pages"]):
        return
    with transaction.atomic():
        under_way = Job.objects.filter(kind=job.kind, key=job.key, state__in=UNDER_WAY)
        for locked in under_way.select_for_update():
            if _add(page, locked.payload["pages"]):
                locked.save(update_fields=["payload"])


def _add(page: str | None, pages: list[str | None]) -> bool:
    """Add a page to those of a job, and return whether it was missing; the job of too many pages is never cancelled."""
    if len(pages) >= MOST_PAGES:
        page = None
    if page in pages:
        return False
    pages.append(page)
    return True


def leave_obsolete(study: Study, *, pages: Collection[str], current: Collection[str], now: datetime) -> None:
    """Note that these pages wait for none of the explorer's other jobs; cancel those that nothing else waits for.

    Args:
        pages: The page on which options were chosen, and those that it has replaced in its tab of the browser.
        current: The names, from `identify`, of what was chosen.
    """
    kinds = (INTERVALS.name, MULTIVERSE.name)
    obsolete = Job.objects.filter(kind__in=kinds, state__in=UNDER_WAY, payload__study=study.pk).exclude(key__in=current)
    for pk, payload in list(obsolete.values_list("pk", "payload")):
        if not set(pages).isdisjoint(payload["pages"]):
            with suppress(JobRefused), transaction.atomic():
                # Another page may wait for it by now, or it may have ended.
                job = obsolete.select_for_update().filter(pk=pk).first()
                if job is not None:
                    _leave(job, pages, now=now)


def _leave(job: Job, pages: Collection[str], *, now: datetime) -> None:
    others = [each for each in job.payload["pages"] if each not in pages]
    if others:
        job.payload["pages"] = others
        job.save(update_fields=["payload"])
    else:
        cancel_job(job, now=now, reason=REPLACED)


def find_progress(kind: Kind, name: str, *, study: Study) -> Progress | None:
    """Return the progress of the named job; None if it was never queued for this study, or its result is gone."""
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
    make_kind(
        "multiverse", title="Ranking metrics in all variants", work=_work_by(_work_on_multiverse), lane="explorer"
    )
)


def put_rows(explored: Explored, rows: list[ResultRow]) -> Explored:
    """Return the report with these rows replacing those of the same metric and measure.

    `is_above_ceiling` is preserved, since neither the value nor the ceiling changes.
    """
    new = {(row.metric, row.measure): row for row in rows}
    report = explored.report
    placed = tuple(
        replace(found, is_above_ceiling=row.is_above_ceiling) if (found := new.get((row.metric, row.measure))) else row
        for row in report.rows
    )
    return replace(explored, report=replace(report, rows=placed))
