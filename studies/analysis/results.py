"""The results of a protocol as a table: metrics down, measures across."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.core.cache import cache

from correlation.errors import CorrelationInputError
from correlation.protocols.row import ResultMeasure
from correlation.reports.layout import TableLine, arrange_metrics
from jobs.models import Job
from studies.analysis.cached_results import StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.correlations import gather_observations
from studies.analysis.fingerprint import fingerprint_results
from studies.analysis.reports import Correlated, correlate_observations
from studies.models import Study
from studies.scoring.errors import MissingScores
from studies.shared.problems import read_problem


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All results of one protocol, sorted by agreement (the mean, else the first measure), best first."""

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
    """The results of a study and their table, or the reason why there are none.

    Attributes:
        found: The results; None if there is a problem, or none are available.
        table: The table of results, None without metrics.
        problem: What is missing, and what to do.
        as_of: The date of the results; None if they are current.
        is_pending: Whether newer ones are being computed.
        is_there: Whether any are available: not before the first ones are computed, or if that has failed.
        has_failed: Whether computing newer ones has failed.
        infinite: Metrics with infinite scores, which count as missing, and the numbers of these.
        job: The job that computes newer ones.
    """

    found: Correlated | None = None
    table: ResultTable | None = None
    problem: str = ""
    as_of: datetime | None = None
    is_pending: bool = False
    is_there: bool = True
    has_failed: bool = False
    infinite: tuple[tuple[str, int], ...] = ()
    job: Job | None = None


def load_results(study: Study) -> StudyResults:
    """Correlate the study by its own protocol, from the current judgments and scores.

    Cached under a fingerprint of everything that they depend on, so that cached results are always current.
    """
    results: StudyResults = cache.get_or_set(f"results:{fingerprint_results(study)}", lambda: _correlate(study))
    return results


def find_results(
    study: Study,
    *,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    inputs: StudyInputs | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> StudyResults:
    """Return the results that a page can show at once; those of a large study are computed by a job.

    If raters are at work and computing takes long, older results are returned for a while, with their date. Any other
    change, such as an exclusion or a run, takes effect at once.

    Args:
        wait: Whether to compute here, however long it takes.
        is_poll: As for `find_cached`.
        inputs: The current state of the study, if the caller has read it.
        clock: A clock in seconds, for measuring the duration.
    """
    request = _make_request(study, inputs or StudyInputs(study))
    known = find_cached(RESULTS, request, now=now, wait=wait, is_poll=is_poll, clock=clock)
    return replace(
        known.made or StudyResults(is_there=False),
        as_of=known.as_of,
        is_pending=known.is_pending,
        has_failed=known.has_failed,
        job=known.job,
    )


def _make_request(study: Study, inputs: StudyInputs) -> ValueRequest[StudyResults]:
    name = f"live-results:{inputs.setting}"
    return ValueRequest(name, inputs, make=lambda: _correlate(study), payload={"study": study.pk})


RESULTS: Final = register_value(
    "results",
    title="Correlating metrics with human judgments",
    request=lambda _, study: _make_request(study, StudyInputs(study)),
)


def _correlate(study: Study) -> StudyResults:
    try:
        gathered = gather_observations(study)
        found = correlate_observations(gathered)
    except (MissingScores, CorrelationInputError) as error:
        return StudyResults(problem=read_problem(error))
    return StudyResults(found=found, table=arrange_results(found), infinite=gathered.infinite)


def arrange_results(found: Correlated) -> ResultTable | None:
    """Return the table of results, with undefined values last; None without metrics."""
    if found.report is None:
        return None
    lines = arrange_metrics(found.report)
    return ResultTable(
        protocol=found.protocol,
        measures=found.report.measures,
        lines=lines,
        signatures=tuple(dict.fromkeys(found.signatures[line.name] for line in lines)),
    )
