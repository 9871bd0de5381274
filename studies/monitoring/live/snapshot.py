"""Snapshots of the slow parts of the monitoring page: agreement, metrics over time, pay and raters.

A snapshot is computed by a job, stored for all viewers, and replaced once there are new judgments and it is older than
a minute or ten times its duration. The page always shows its date.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.protocols.reading import read_protocol
from correlation.reports.layout import TITLES
from correlation.resampling.intervals import IntervalRequest
from studies.analysis.agreement import choose_coefficients, keep_finite, measure_table
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.reports import report_observations
from studies.collection.judgments import load_judgments
from studies.collection.pay.earnings import NothingPromised, report_pay
from studies.collection.pay.wages import explain_wage
from studies.design.protocols import STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Study
from studies.monitoring.quality import report_quality
from studies.scoring.errors import MissingScores
from studies.shared.problems import read_problem

TOP_METRICS: Final = 5
SHARES: Final = (0.125, 0.25, 0.5, 1.0)
"""The shares of the judgments, in order of arrival, for which metrics over time are shown."""

_ALPHAS: Final = ("krippendorff-ordinal", "krippendorff-nominal")
FEWEST_JUDGMENTS: Final = 20
RESAMPLES: Final = 200
LEAST_AGE: Final = timedelta(seconds=60)
_PATIENCE: Final = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; None if undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Growth:
    """One metric over time: one estimate per element of `Growing.n_judgments`."""

    metric: str
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Growing:
    """The best metrics by the protocol's coefficient, from the first few judgments to all.

    Attributes:
        measure: The measure, in words.
        n_judgments: The numbers of first judgments used, ascending.
        lines: At most `TOP_METRICS` metrics, sorted by the newest column, best first.
        problem: Why there are none; empty if there are some.
    """

    measure: str = ""
    n_judgments: tuple[int, ...] = ()
    lines: tuple[Growth, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of raters; `problem` says why there is no number."""

    coefficient: str = ""
    estimate: Estimate = Estimate(None, None, None)
    n_items: int = 0
    n_raters: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Money:
    """The earnings of raters and the remaining budget; `problem` says why they are unknown."""

    currency: str = ""
    median_hourly: Decimal | None = None
    hourly_wage: Decimal | None = None
    spent: Decimal | None = None
    owed: Decimal | None = None
    budget_left: Decimal | None = None
    n_below: int = 0
    problem: str = ""

    @property
    def warning(self) -> str:
        """How the median hourly wage differs from the promised one; "" if it is fine."""
        return explain_wage(self.median_hourly, promised=self.hourly_wage)


@dataclass(frozen=True, slots=True)
class Flag:
    """A declared rule and the number of raters who break it; `n_excluded` of them are already excluded."""

    rule: str
    n_raters: int
    n_excluded: int


@dataclass(frozen=True, slots=True)
class Quality:
    """The numbers of raters who break declared rules.

    Attributes:
        n_raters: Raters with judgments.
        n_flagged: Raters who break at least one rule.
        n_excluded: Excluded raters, by a rule or manually.
        flags: The numbers by rule.
    """

    n_raters: int = 0
    n_flagged: int = 0
    n_excluded: int = 0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All parts, computed together.

    Attributes:
        made_at: The time when computing started.
        seconds: How long it took.
        newest: The primary key of the newest judgment then; if it differs, the snapshot is out of date.
        n_judgments: The number of judgments used.
    """

    made_at: datetime
    seconds: float
    newest: int
    n_judgments: int
    agreement: Agreement
    growing: Growing
    money: Money
    quality: Quality

    def is_old(self, *, newest: int, now: datetime) -> bool:
        """Return whether to compute it again: judgments have changed, and it is not too recent."""
        age = now - self.made_at
        return newest != self.newest and age >= max(LEAST_AGE, timedelta(seconds=_PATIENCE * self.seconds))


def watch_study(study: Study, *, newest: int, now: datetime) -> Snapshot:
    """Compute a snapshot, which may take a minute; the caller sets `seconds`, which is 0 here."""
    growing, n_judgments = measure_growth(study)
    return Snapshot(
        made_at=now,
        seconds=0.0,
        newest=newest,
        n_judgments=n_judgments,
        agreement=measure_raters(study),
        growing=growing,
        money=count_money(study),
        quality=count_flags(study),
    )


def measure_raters(study: Study) -> Agreement:
    """Return Krippendorff's alpha of all judgments, for the appropriate scale, with bootstrap interval over images."""
    try:
        chosen = read_protocol(
            study.protocol if study.protocol != "custom" else STARTING_PROTOCOLS[TaskKind(study.kind)]
        )
        judgments = load_judgments(study, chosen)
        table = judgments.table
        if not len(table.value):
            return Agreement(problem="There are no judgments yet.")
        fitting = choose_coefficients(study, table)
        coefficient = next(name for name in _ALPHAS if name in fitting)
        result = measure_table(table, coefficient=coefficient, resamples=RESAMPLES, seed=0)
    except CorrelationInputError as error:
        return Agreement(problem=read_problem(error))
    estimate = Estimate(keep_finite(result.value), keep_finite(result.low), keep_finite(result.high))
    return Agreement(coefficient, estimate, result.n_items, result.n_raters, result.reason or "")


def measure_growth(study: Study) -> tuple[Growing, int]:
    """Return the metrics over time, and the number of judgments."""
    try:
        gathered = gather_observations(study)
    except (MissingScores, CorrelationInputError) as error:
        return Growing(problem=read_problem(error)), 0
    n = len(gathered.judgments.table.value)
    if not gathered.metrics:
        return Growing(problem="No installed metric can score the items of this study."), n
    try:
        best = report_observations(gathered, ceilings=())
        names = [metric.id for metric in best.metrics[:TOP_METRICS]]
        top = replace(gathered, metrics=tuple(each for each in gathered.metrics if each.metric in names))
        columns = [(size, _measure_first(top, size)) for size in _choose_sizes(n)]
    except CorrelationInputError as error:
        return Growing(problem=read_problem(error)), n
    measure = best.ranking_measure
    words = ", ".join(filter(None, (TITLES[measure.coefficient], f"{measure.level} level", measure.category)))
    lines = tuple(Growth(name, tuple(column[name] for _, column in columns)) for name in names)
    return Growing(words, tuple(size for size, _ in columns), lines), n


def count_money(study: Study) -> Money:
    """Return the payments of a study, computed by `report_pay`."""
    try:
        report = report_pay(study)
    except NothingPromised:
        return Money(problem="The design sets neither a reward nor an hourly wage.")
    return Money(
        currency=report.currency,
        median_hourly=report.median_hourly,
        hourly_wage=report.hourly_wage,
        spent=report.spent,
        owed=report.owed,
        budget_left=report.budget_left,
        n_below=len(report.list_owed()),
    )


def count_flags(study: Study) -> Quality:
    """Return the numbers of raters who break the declared rules."""
    report = report_quality(study)
    rules = dict.fromkeys(rule for record in report.raters for rule in record.broken)
    return Quality(
        n_raters=len(report.raters),
        n_flagged=sum(bool(record.broken) for record in report.raters),
        n_excluded=sum(bool(record.excluded) for record in report.raters),
        flags=tuple(
            Flag(
                rule,
                n_raters=sum(rule in record.broken for record in report.raters),
                n_excluded=sum(rule in record.broken and bool(record.excluded) for record in report.raters),
            )
            for rule in sorted(rules)
        ),
    )


def _choose_sizes(n: int) -> Iterator[int]:
    sizes = dict.fromkeys(int(n * share) for share in SHARES)
    return (size for size in sizes if size >= min(FEWEST_JUDGMENTS, n))


def _measure_first(gathered: StudyObservations, size: int) -> dict[str, Estimate]:
    """Return the estimates from the first `size` judgments."""
    judgments = gathered.judgments
    table = judgments.table.keep(np.arange(len(judgments.table.value)) < size)
    first = replace(gathered, judgments=replace(judgments, table=table))
    axis = "systems" if gathered.protocol.measures[0].level == "system" else "images"
    interval = IntervalRequest("percentile", (axis,), n_resamples=RESAMPLES)
    report = report_observations(first, interval=interval, ceilings=())
    rows = {metric.id: report.get_row(metric.id, report.ranking_measure) for metric in report.metrics}
    return {name: Estimate(row.value, row.low, row.high) for name, row in rows.items()}
