"""The rows of a protocol arranged for reading: metrics down, measures across."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.core.cache import cache

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultMeasure
from correlation.reports.layout import TableLine, arrange_metrics
from jobs.handle import JobHandle
from jobs.registry import register
from studies.analysis.analysis import gather_observations
from studies.analysis.awaiting import Moment, Wanted, find_known, make_kind, make_known
from studies.analysis.fingerprint import fingerprint_results
from studies.analysis.reporting import Correlated, correlate_observations
from studies.models import Study
from studies.scoring.errors import MissingScores


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All results of one protocol, the metric that agrees best (by the mean, else the first measure) on top."""

    protocol: str
    measures: tuple[ResultMeasure, ...]
    lines: tuple[TableLine, ...]
    signatures: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.lines)

    @property
    def has_categories(self) -> bool:
        return any(measure.category for measure in self.measures)

    @property
    def has_undefined(self) -> bool:
        return any(row.value is None for line in self.lines for row in line.cells if row)


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The numbers of a study and their table; without numbers None and the reason, in words that say what to do.

    Attributes:
        found: The numbers; None where there is a problem, or none is there.
        table: The table of them, None where there is no metric.
        problem: What to do.
        as_of: None where they are of this moment, and else the moment of which they are.
        is_on_its_way: Whether a worker computes newer ones.
        is_there: Whether there are any: not before a worker has computed the first ones, or where it has failed.
        has_failed: Whether a worker could not compute them.
        infinite: Metrics some of whose scores are infinite, and so count as missing, and how many.
    """

    found: Correlated | None = None
    table: ResultTable | None = None
    problem: str = ""
    as_of: datetime | None = None
    is_on_its_way: bool = False
    is_there: bool = True
    has_failed: bool = False
    infinite: tuple[tuple[str, int], ...] = ()


def load_results(study: Study) -> StudyResults:
    """Correlate the study by its own protocol, from the judgments and scores that are there at this moment.

    Kept in the cache under the fingerprint of all that they depend on, so that a kept result is never an old one.
    """
    results: StudyResults = cache.get_or_set(f"results:{fingerprint_results(study)}", lambda: _correlate(study))
    return results


def find_results(
    study: Study,
    *,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    moment: Moment | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> StudyResults:
    """Return the results that a page can show at once; those of a large study are computed by a worker.

    Where raters are at work and computing takes long, results that lack the newest judgments are returned for a
    while, and say of when they are. Whatever else changes, such as an exclusion or a run, shows at once.

    Args:
        study: The study.
        now: The time.
        wait: Whether to compute here, however long it takes.
        is_poll: As `find_known` takes it.
        moment: The study as it is now, where something else is read of it too.
        clock: Seconds, to measure how long the computing takes.
    """
    wanted = _want(study, moment or Moment(study))
    known = find_known(RESULTS, wanted, now=now, wait=wait, is_poll=is_poll, clock=clock)
    return replace(
        known.made or StudyResults(is_there=False),
        as_of=known.as_of,
        is_on_its_way=known.is_on_its_way,
        has_failed=known.has_failed,
    )


def _want(study: Study, moment: Moment) -> Wanted[StudyResults]:
    name = f"live-results:{moment.setting}"
    return Wanted(name, moment, make=lambda: _correlate(study), payload={"study": study.pk})


def _work(handle: JobHandle, study: Study) -> None:
    make_known(_want(study, Moment(study)), now=handle.now())


RESULTS: Final = register(make_kind("results", title="Correlating metrics with judgments", work=_work))


def _correlate(study: Study) -> StudyResults:
    try:
        gathered = gather_observations(study)
        found = correlate_observations(gathered)
    except (MissingScores, CorrelationInputError) as error:
        return StudyResults(problem=str(error))
    return StudyResults(found=found, table=arrange_results(found), infinite=gathered.infinite)


def arrange_results(found: Correlated) -> ResultTable | None:
    """Return the table of what was found, an undefined value last; None where there is no metric."""
    if found.report is None:
        return None
    lines = arrange_metrics(found.report)
    return ResultTable(
        protocol=found.protocol,
        measures=found.report.measures,
        lines=lines,
        signatures=tuple(dict.fromkeys(found.signatures[line.name] for line in lines)),
    )
