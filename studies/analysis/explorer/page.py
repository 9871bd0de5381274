"""The current content of the explorer's page, and the progress of what is being computed."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from correlation.protocols.multiverse import Multiverse
from correlation.reports import Report
from correlation.reports.layout import (
    TITLES,
    TableLine,
    arrange_ceilings,
    arrange_metrics,
    head_columns,
    list_signatures,
    write_cautions,
    write_sentences,
)
from studies.analysis.explorer.choice import Choice
from studies.analysis.explorer.jobs import INTERVALS, MULTIVERSE, Progress, ask, find_progress, leave_obsolete
from studies.analysis.explorer.loaded_study import OpenedStudy
from studies.analysis.explorer.report import (
    Explored,
    drop_measures,
    explore,
    explore_multiverse,
    explore_whole,
    find_multiverse,
    find_whole,
    identify,
)
from studies.enums import WorkState


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A report as a table: headings of the measures, a line for each metric and ceiling, cautions and notes."""

    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    ceilings: tuple[TableLine, ...]
    cautions: tuple[str, ...]
    sentences: tuple[str, ...]
    signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """The report as far as computed; `work` names the job in progress, empty if there is none."""

    explored: Explored
    table: ReportTable
    progress: Progress | None = None
    work: str = ""


@dataclass(frozen=True, slots=True)
class ShownMultiverse:
    """The multiverse, None until it is computed; `work` as in `ShownAgreement`."""

    multiverse: Multiverse | None
    progress: Progress | None = None
    work: str = ""


def show_agreement(
    opened: OpenedStudy,
    choice: Choice,
    *,
    now: datetime,
    wait: bool = False,
    quick: Explored | None = None,
    page: str | None = None,
) -> ShownAgreement:
    """Return the report at once, and queue a job for its intervals if they are requested and not cached.

    Args:
        opened: The study.
        choice: The options.
        wait: Whether to compute the intervals here instead.
        quick: The report without intervals, if it is known.
        page: As in `ask`.

    Raises:
        NothingToExplore: There is no report for the options.
    """
    if not choice.has_intervals:
        return _show(quick or explore(opened, choice))
    if wait:
        return _show(explore_whole(opened, choice))
    whole = find_whole(opened, choice)
    if whole is not None:
        return _show(whole)
    work = identify(INTERVALS.name, opened, choice)
    made = quick or explore(opened, choice)
    progress = ask(INTERVALS, choice, study=opened.study, name=work, made=made, now=now, page=page)
    return _follow(progress, work)


def follow_agreement(
    opened: OpenedStudy, choice: Choice, *, work: str, now: datetime, page: str | None = None
) -> ShownAgreement:
    """Return the progress of the intervals of this job; queue another if nothing is known about it."""
    progress = find_progress(INTERVALS, work, study=opened.study)
    if progress is None:
        return show_agreement(opened, choice, now=now, page=page)
    if progress.made is None:
        progress = replace(progress, made=explore(opened, choice))
    return _follow(progress, work)


def show_multiverse(
    opened: OpenedStudy, choice: Choice, *, now: datetime, wait: bool = False, page: str | None = None
) -> ShownMultiverse:
    """Return the multiverse if it is cached, else queue a job; arguments and errors as for `show_agreement`."""
    found = explore_multiverse(opened, choice) if wait else find_multiverse(opened, choice)
    if found is not None:
        return ShownMultiverse(found)
    reduced = drop_measures(choice)
    work = identify(MULTIVERSE.name, opened, reduced)
    progress = ask(MULTIVERSE, reduced, study=opened.study, name=work, made=None, now=now, page=page)
    return ShownMultiverse(progress.made, progress=progress, work=work)


def follow_multiverse(
    opened: OpenedStudy, choice: Choice, *, work: str, now: datetime, page: str | None = None
) -> ShownMultiverse:
    """Return the progress of the multiverse of this job; queue another if nothing is known about it."""
    progress = find_progress(MULTIVERSE, work, study=opened.study)
    if progress is None:
        return show_multiverse(opened, choice, now=now, page=page)
    if progress.made is not None:
        return ShownMultiverse(progress.made)
    return ShownMultiverse(None, progress=progress, work=work)


def cancel_replaced(
    opened: OpenedStudy, choice: Choice, *, has_ranks: bool, pages: Collection[str], now: datetime
) -> None:
    """Cancel the jobs whose options were replaced by these on this page, unless something else waits for them.

    Args:
        opened: The study.
        choice: The options.
        has_ranks: Whether the multiverse is requested.
        pages: As in `leave_obsolete`.
    """
    current = [identify(INTERVALS.name, opened, choice)] if choice.has_intervals else []
    if has_ranks:
        current.append(identify(MULTIVERSE.name, opened, drop_measures(choice)))
    leave_obsolete(opened.study, pages=pages, current=current, now=now)


def _follow(progress: Progress, work: str) -> ShownAgreement:
    shown = _show(progress.made)
    if progress.state == WorkState.DONE:
        return shown
    return ShownAgreement(shown.explored, shown.table, progress=progress, work=work)


def _show(explored: Explored) -> ShownAgreement:
    return ShownAgreement(explored, arrange_report(explored.report))


def arrange_report(report: Report) -> ReportTable:
    """Return the report as a table."""
    return ReportTable(
        heads=head_columns(report, TITLES),
        lines=arrange_metrics(report),
        ceilings=arrange_ceilings(report),
        cautions=write_cautions(report),
        sentences=write_sentences(report, with_cautions=False) if report.design.method or report.notes else (),
        signatures=list_signatures(report),
    )
