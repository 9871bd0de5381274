"""What a page of the explorer shows at this moment: what is there, and what is still on its way."""

from dataclasses import dataclass
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
    write_sentences,
)
from studies.analysis.exploring.choice import Choice
from studies.analysis.exploring.exploring import (
    Explored,
    drop_measures,
    explore,
    explore_multiverse,
    explore_whole,
    find_multiverse,
    find_whole,
    identify,
)
from studies.analysis.exploring.jobs import INTERVALS, MULTIVERSE, Progress, ask, find_progress
from studies.analysis.exploring.opening import OpenedStudy
from studies.enums import WorkState


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A report as a page shows it: headings of the measures, a line for each metric and ceiling, and what to know."""

    heads: tuple[str, ...]
    lines: tuple[TableLine, ...]
    ceilings: tuple[TableLine, ...]
    sentences: tuple[str, ...]
    signatures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """The report with all that is there of it; `work` names what is on its way, empty if nothing is."""

    explored: Explored
    table: ReportTable
    progress: Progress | None = None
    work: str = ""


@dataclass(frozen=True, slots=True)
class ShownMultiverse:
    """The multiverse, None until it is there; `work` as in `ShownAgreement`."""

    multiverse: Multiverse | None
    progress: Progress | None = None
    work: str = ""


def show_agreement(
    opened: OpenedStudy, choice: Choice, *, now: datetime, wait: bool = False, quick: Explored | None = None
) -> ShownAgreement:
    """Return the report at once, and ask for its intervals if they are wanted and not there.

    Args:
        opened: The study.
        choice: What was chosen.
        now: When.
        wait: Whether to make the intervals here and now instead.
        quick: The report without intervals, if it is known.

    Raises:
        NothingToExplore: There is no report of what was chosen.
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
    return _follow(ask(INTERVALS, choice, study=opened.study, name=work, made=made, now=now), work)


def follow_agreement(opened: OpenedStudy, choice: Choice, *, work: str, now: datetime) -> ShownAgreement:
    """Return how far the intervals are that were asked for under this name; ask anew if nothing is known of them."""
    progress = find_progress(INTERVALS, work, study=opened.study)
    if progress is None or not isinstance(progress.made, Explored):
        return show_agreement(opened, choice, now=now)
    return _follow(progress, work)


def show_multiverse(opened: OpenedStudy, choice: Choice, *, now: datetime, wait: bool = False) -> ShownMultiverse:
    """Return the multiverse if it is there, else ask for it; arguments and errors as in `show_agreement`."""
    found = explore_multiverse(opened, choice) if wait else find_multiverse(opened, choice)
    if found is not None:
        return ShownMultiverse(found)
    reduced = drop_measures(choice)
    work = identify(MULTIVERSE.name, opened, reduced)
    progress = ask(MULTIVERSE, reduced, study=opened.study, name=work, made=None, now=now)
    return ShownMultiverse(progress.made, progress=progress, work=work)


def _follow(progress: Progress, work: str) -> ShownAgreement:
    shown = _show(progress.made)
    if progress.state == WorkState.DONE:
        return shown
    return ShownAgreement(shown.explored, shown.table, progress=progress, work=work)


def _show(explored: Explored) -> ShownAgreement:
    return ShownAgreement(explored, arrange_report(explored.report))


def arrange_report(report: Report) -> ReportTable:
    """Return the report as a page shows it."""
    return ReportTable(
        heads=head_columns(report, TITLES),
        lines=arrange_metrics(report),
        ceilings=arrange_ceilings(report),
        sentences=write_sentences(report) if report.design.method or report.notes else (),
        signatures=list_signatures(report),
    )
