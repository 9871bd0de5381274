"""The rows of a protocol arranged for reading: metrics down, measures across."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache

from correlation.errors import CorrelationInputError
from correlation.protocol_row import MEAN, TOTAL
from studies.domain.analysis import ResultRow, correlate_study
from studies.domain.fingerprint import fingerprint_judgments, fingerprint_results, fingerprint_setting
from studies.domain.scoring.errors import MissingScores
from studies.enums import StudyState
from studies.models import Study

KEEP_FACTOR: Final = 20
QUICK_SECONDS: Final = 0.25
"""Results of an open study are kept for so many times what they took; those that take less than this not at all."""
_AT_MOST: Final = 600


@dataclass(frozen=True, slots=True)
class Measured:
    """What heads a column: a coefficient at a level, in a category if the protocol has some."""

    coefficient: str
    level: str
    category: str | None


@dataclass(frozen=True, slots=True)
class MetricResults:
    """One line of the table; a cell is None where this metric has no such row.

    `n` and `n_missing` are the largest of its cells: of the mean, or of all categories together.
    """

    metric: str
    cells: tuple[ResultRow | None, ...]
    n: int
    n_missing: int


@dataclass(frozen=True, slots=True)
class ResultTable:
    """All results of one protocol, the metric that agrees best (by the mean, else the first measure) on top."""

    protocol: str
    measures: tuple[Measured, ...]
    lines: tuple[MetricResults, ...]
    signatures: tuple[str, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(line.metric for line in self.lines)

    @property
    def has_categories(self) -> bool:
        return any(measure.category for measure in self.measures)

    @property
    def has_undefined(self) -> bool:
        return any(row.value is None for line in self.lines for row in line.cells if row)

    def get_line(self, metric: str) -> MetricResults:
        return self.lines[self.metrics.index(metric)]


@dataclass(frozen=True, slots=True)
class StudyResults:
    """The rows of a study and their table; without rows None and the reason, in words that say what to do.

    `as_of` is None where they are of this moment, and else the moment of which they are.
    """

    rows: tuple[ResultRow, ...] = ()
    table: ResultTable | None = None
    problem: str = ""
    as_of: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Kept:
    """Results of an open study, of which judgments and when they are, and how long they took."""

    results: StudyResults
    judgments: str
    made_at: datetime
    seconds: float

    def is_young(self, now: datetime) -> bool:
        wait = 0.0 if self.seconds < QUICK_SECONDS else KEEP_FACTOR * self.seconds
        return now - self.made_at < timedelta(seconds=wait)

    def tell(self) -> StudyResults:
        return replace(self.results, as_of=self.made_at)


def load_results(
    study: Study, *, now: datetime | None = None, clock: Callable[[], float] = time.perf_counter
) -> StudyResults:
    """Correlate the study by its own protocol, from the judgments and scores that are there at this moment.

    Kept in the cache under the fingerprint of all that they depend on, so that a kept result is never an old one.
    With one exception, for whoever gives the time: where raters are at work and computing takes long, results that
    lack the newest judgments are returned for a while, and say of when they are. Then a page takes at most a
    twentieth of a process, however many look at it and however fast judgments come.

    Args:
        study: The study.
        now: The time, for a page that says how old results are; without it they are of this moment.
        clock: Seconds, to measure how long the computing takes.
    """
    if now is not None and study.state == StudyState.OPEN:
        return _load_live(study, now=now, clock=clock)
    results: StudyResults = cache.get_or_set(f"results:{fingerprint_results(study)}", lambda: _correlate(study))
    return results


def _load_live(study: Study, *, now: datetime, clock: Callable[[], float]) -> StudyResults:
    # Whatever else changes, such as an exclusion or a run, shows at once.
    key = f"live-results:{fingerprint_setting(study)}"
    kept: _Kept | None = cache.get(key)
    if kept is not None and kept.is_young(now):
        return kept.tell()
    judgments = fingerprint_judgments(study)
    if kept is not None and kept.judgments == judgments:
        return kept.results
    # One computes; the others need not wait for it where there is something to show.
    if not cache.add(f"{key}:computing", now, timeout=_AT_MOST) and kept is not None:
        return kept.tell()
    started = clock()
    try:
        results = _correlate(study)
        cache.set(key, _Kept(results, judgments, made_at=now, seconds=clock() - started))
    finally:
        cache.delete(f"{key}:computing")
    return results


def _correlate(study: Study) -> StudyResults:
    try:
        rows = correlate_study(study)
    except (MissingScores, CorrelationInputError) as error:
        return StudyResults(problem=str(error))
    return StudyResults(rows=rows, table=arrange_results(rows) if rows else None)


def arrange_results(rows: Sequence[ResultRow]) -> ResultTable:
    """Return the table of the rows of one protocol, at least one; an undefined value comes last."""
    measures = tuple(dict.fromkeys(_get_measure(row) for row in rows))
    by_metric: dict[str, list[ResultRow]] = {}
    for row in rows:
        by_metric.setdefault(row.metric, []).append(row)
    # The mean over categories says more of a metric than the first of them does.
    ranking = next((place for place, measure in enumerate(measures) if measure.category in (MEAN, TOTAL)), 0)
    lines = [_arrange_line(metric, own, measures) for metric, own in by_metric.items()]
    lines.sort(key=lambda line: _rank_line(line, ranking))
    return ResultTable(
        protocol=rows[0].protocol,
        measures=measures,
        lines=tuple(lines),
        signatures=tuple(dict.fromkeys(row.signature for line in lines for row in line.cells if row)),
    )


def _arrange_line(metric: str, rows: Sequence[ResultRow], measures: Sequence[Measured]) -> MetricResults:
    cells = {_get_measure(row): row for row in rows}
    return MetricResults(
        metric=metric,
        cells=tuple(cells.get(measure) for measure in measures),
        n=max(row.n for row in rows),
        n_missing=max(row.n_missing for row in rows),
    )


def _get_measure(row: ResultRow) -> Measured:
    return Measured(coefficient=row.coefficient, level=row.level, category=row.category)


def _rank_line(line: MetricResults, ranking: int) -> tuple[bool, float, str]:
    cell = line.cells[ranking]
    if cell is None or cell.value is None:
        return True, 0.0, line.metric
    return False, -cell.value, line.metric
