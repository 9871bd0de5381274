"""What takes too long for a look at the monitoring page: agreement, the growing table, pay and raters, as a snapshot.

A snapshot is made by a worker, kept for all, and made anew when judgments have come and it is older than a minute, or
than ten times what it took. The page always says of when it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

import numpy as np

from correlation.errors import CorrelationInputError
from correlation.reports.layout import TITLES
from correlation.resampling.intervals import IntervalRequest
from studies.analysis.agreeing import choose_coefficients, keep_finite, measure_table
from studies.analysis.analysis import StudyObservations, gather_observations
from studies.analysis.reporting import report_observations
from studies.collection.judgments import load_judgments
from studies.collection.pay.paying import NothingPromised, report_pay
from studies.design.protocols import STARTING_PROTOCOLS, read_protocol
from studies.enums import TaskKind
from studies.models import Study
from studies.monitoring.quality import report_quality
from studies.scoring.errors import MissingScores

TOP_METRICS: Final = 5
SHARES: Final = (0.125, 0.25, 0.5, 1.0)
"""Of the judgments, in the order in which they came: what the growing table shows."""

_ALPHAS: Final = ("krippendorff-ordinal", "krippendorff-nominal")
FEWEST_JUDGMENTS: Final = 20
RESAMPLES: Final = 200
LEAST_AGE: Final = timedelta(seconds=60)
_PATIENCE: Final = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval of 95 %; None where undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Growth:
    """One metric over the judgments that there were: as many estimates as `Growing.n_judgments`."""

    metric: str
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Growing:
    """The best metrics by the protocol's coefficient, from few judgments to all.

    Attributes:
        measure: What it is, in words.
        n_judgments: Rising; the first so many judgments that came.
        lines: The best metric of the newest column first, at most `TOP_METRICS`.
        problem: Why there are none; empty if there are.
    """

    measure: str = ""
    n_judgments: tuple[int, ...] = ()
    lines: tuple[Growth, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well raters agree; `problem` says why there is no number."""

    coefficient: str = ""
    estimate: Estimate = Estimate(None, None, None)
    n_items: int = 0
    n_raters: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Money:
    """What raters earn and what is left; `problem` says why it is not known."""

    currency: str = ""
    median_hourly: Decimal | None = None
    hourly_wage: Decimal | None = None
    spent: Decimal | None = None
    owed: Decimal | None = None
    budget_left: Decimal | None = None
    n_below: int = 0
    problem: str = ""

    @property
    def is_below(self) -> bool:
        """Whether half of the raters earn less than the design promises."""
        return bool(self.hourly_wage) and self.median_hourly is not None and self.median_hourly < self.hourly_wage


@dataclass(frozen=True, slots=True)
class Flag:
    """A declared rule and how many raters break it; of these `n_excluded` are left out already."""

    rule: str
    n_raters: int
    n_excluded: int


@dataclass(frozen=True, slots=True)
class Quality:
    """How many raters break declared rules.

    Attributes:
        n_raters: With judgments.
        n_flagged: Who break one rule or more.
        n_excluded: Who are left out, by a rule or by hand.
        flags: By rule.
    """

    n_raters: int = 0
    n_flagged: int = 0
    n_excluded: int = 0
    flags: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All of it at one moment.

    Attributes:
        made_at: When it began.
        seconds: What it took.
        newest: Primary key of the newest judgment then: with another one, the snapshot is old.
        n_judgments: How many counted.
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
        """Whether it should be made anew: judgments came or went, and it is not of just now."""
        age = now - self.made_at
        return newest != self.newest and age >= max(LEAST_AGE, timedelta(seconds=_PATIENCE * self.seconds))


def watch_study(study: Study, *, newest: int, now: datetime) -> Snapshot:
    """Make a snapshot, which may take a minute; `seconds` is left at 0 for whoever has a clock."""
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
    """Return Krippendorff's alpha of all judgments, on the scale that fits, with its bootstrap interval over images."""
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
        return Agreement(problem=str(error))
    estimate = Estimate(keep_finite(result.value), keep_finite(result.low), keep_finite(result.high))
    return Agreement(coefficient, estimate, result.n_items, result.n_raters, result.reason or "")


def measure_growth(study: Study) -> tuple[Growing, int]:
    """Return the growing table, and how many judgments there are."""
    try:
        gathered = gather_observations(study)
    except (MissingScores, CorrelationInputError) as error:
        return Growing(problem=str(error)), 0
    n = len(gathered.judgments.table.value)
    if not gathered.metrics:
        return Growing(problem="No installed metric scores what this study judges."), n
    try:
        best = report_observations(gathered, ceilings=())
        names = [metric.id for metric in best.metrics[:TOP_METRICS]]
        top = replace(gathered, metrics=tuple(each for each in gathered.metrics if each.metric in names))
        columns = [(size, _measure_first(top, size)) for size in _choose_sizes(n)]
    except CorrelationInputError as error:
        return Growing(problem=str(error)), n
    measure = best.ranking_measure
    words = ", ".join(filter(None, (TITLES[measure.coefficient], f"{measure.level} level", measure.category)))
    lines = tuple(Growth(name, tuple(column[name] for _, column in columns)) for name in names)
    return Growing(words, tuple(size for size, _ in columns), lines), n


def count_money(study: Study) -> Money:
    """Return the money of a study as `report_pay` counts it."""
    try:
        report = report_pay(study)
    except NothingPromised:
        return Money(problem="The design names neither a reward nor an hourly wage.")
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
    """Return how many raters break the declared rules."""
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
    """Return the estimates from the judgments that came first."""
    judgments = gathered.judgments
    table = judgments.table.keep(np.arange(len(judgments.table.value)) < size)
    first = replace(gathered, judgments=replace(judgments, table=table))
    axis = "systems" if gathered.protocol.measures[0].level == "system" else "images"
    interval = IntervalRequest("percentile", (axis,), n_resamples=RESAMPLES)
    report = report_observations(first, interval=interval, ceilings=())
    rows = {metric.id: report.get_row(metric.id, report.ranking_measure) for metric in report.metrics}
    return {name: Estimate(row.value, row.low, row.high) for name, row in rows.items()}
