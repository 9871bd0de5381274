"""Looks at a study under its declared stopping rule: when the next one is due, and its result.

Every look spends error, whatever its result, so it is stored, numbered, never repeated, and refused before it is due.
The arithmetic, with sources, is in `correlation.planning.stopping`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import combinations
from math import ceil, isfinite
from typing import Any, Final

from django.db import IntegrityError, transaction

from correlation.comparison.compare import ComparisonRequest
from correlation.errors import CorrelationInputError
from correlation.planning.stopping import LookBound, Verdict, find_bounds, judge_estimate
from correlation.protocols.row import ResultMeasure
from correlation.reports import Report
from correlation.reports.layout import TITLES
from correlation.resampling.intervals import IntervalRequest
from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.reports import report_observations
from studies.collection.lifecycle import close_study
from studies.design.study_design import SETTLED_RANKING, StoppingRule, StudyDesign
from studies.design.study_facts import count_planned
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, StudyState
from studies.models import StoppingLook, Study, StudyVersion
from studies.scoring.errors import MissingScores
from studies.shared.errors import Refusal

RESAMPLES: Final = 1000
_STANDARD_ERRORS: Final = 2 * 1.959964
"""The width of the 95 % intervals computed by `correlation`, in standard errors."""


class CannotLook(Refusal):
    """No look can be taken now; the message says why."""


@dataclass(frozen=True, slots=True)
class PlannedLook:
    """One planned look: its number, the number of judgments from which it is due, and its result if it was taken."""

    number: int
    due_at: int
    taken: StoppingLook | None = None


@dataclass(frozen=True, slots=True)
class StoppingState:
    """The state of a study under its rule.

    Attributes:
        rule: The rule in force.
        n_all: The number of judgments at the last look.
        n_judgments: The current number of judgments.
        looks: All planned looks.
        next: The next look; None after the last, and once the rule has said stop.
        is_due: Whether it can be taken now.
        said_stop: The look that said stop; None if there is none.
    """

    rule: StoppingRule
    n_all: int
    n_judgments: int
    looks: tuple[PlannedLook, ...]
    next: PlannedLook | None
    is_due: bool
    said_stop: StoppingLook | None

    @property
    def words(self) -> str:
        """The rule in one sentence."""
        return describe_rule(self.rule, n_all=self.n_all)


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a look for one metric, or for the difference of two."""

    what: str
    verdict: Verdict
    is_settled: bool

    def to_json(self) -> dict[str, Any]:
        """Return the finding as JSON, with numbers that JSON lacks, such as an infinite bound, as None."""
        numbers = asdict(self.verdict)
        return {
            "what": self.what,
            "is_settled": self.is_settled,
            **{name: value if isfinite(value) else None for name, value in numbers.items()},
        }


def load_rule(study: Study) -> StoppingRule | None:
    """Return the rule of the newest design; None if there is none."""
    try:
        return StudyDesign.from_json(load_newest_version(study).design).stopping_rule
    except StudyVersion.DoesNotExist:
        return None


def describe_rule(rule: StoppingRule, *, n_all: int) -> str:
    """Return the rule in one sentence."""
    metrics = ", ".join(rule.metric_ids) or "all metrics with scores"
    measure = f" ({TITLES[rule.measure]})" if rule.measure else ""
    wanted = (
        f"all pairs of {metrics} differ"
        if rule.kind == SETTLED_RANKING
        else f"the interval of each of {metrics} is at most {rule.width:g} wide"
    )
    return (
        f"Stop when {wanted}{measure}, at one of {rule.looks} looks over {n_all:,} judgments, at the two-sided level "
        f"{rule.alpha:g} spent like {rule.spending}."
    )


def describe_state(
    study: Study, *, n_judgments: int, rule: StoppingRule | None = None, n_planned: int | None = None
) -> StoppingState | None:
    """Return the state of a study, None without a rule; in one query if rule and planned judgments are given."""
    rule = rule or load_rule(study)
    if rule is None:
        return None
    n_all = rule.max_judgments or (count_planned(study) if n_planned is None else n_planned)
    taken = {look.number: look for look in StoppingLook.objects.filter(study=study).select_related("taken_by")}
    looks = tuple(
        PlannedLook(number, due_at=max(1, ceil(n_all * number / rule.looks)), taken=taken.get(number))
        for number in range(1, rule.looks + 1)
    )
    said_stop = next((look for _, look in sorted(taken.items()) if look.says_stop), None)
    upcoming = _choose_next(looks, n_judgments=n_judgments) if said_stop is None else None
    return StoppingState(
        rule=rule,
        n_all=n_all,
        n_judgments=n_judgments,
        looks=looks,
        next=upcoming,
        is_due=upcoming is not None and n_judgments >= upcoming.due_at,
        said_stop=said_stop,
    )


def take_look(
    study: Study, *, now: datetime, actor: Actor = COMMAND_LINE, user: Any | None = None, resamples: int = RESAMPLES
) -> StoppingLook:
    """Take the look that is due: store its result, and close the study if the rule says so.

    Raises:
        CannotLook: There is no rule, no look is due, the rule was changed since the last one, or the look is being
            taken concurrently.
    """
    try:
        gathered = gather_observations(study)
    except (MissingScores, CorrelationInputError) as error:
        raise CannotLook(str(error)) from error
    n_judgments = len(gathered.judgments.table.value)
    state = describe_state(study, n_judgments=n_judgments)
    if state is None:
        raise CannotLook(f"the design of study {study.name} has no stopping rule")
    planned = _check_due(study, state)
    fraction = min(1.0, n_judgments / state.n_all) if planned.number < state.rule.looks else 1.0
    bound = _find_bound(state, fraction=fraction)
    try:
        findings = examine(gathered, state.rule, bound=bound, seed=planned.number, resamples=resamples)
    except CorrelationInputError as error:
        raise CannotLook(str(error)) from error
    says_stop, reason = conclude(findings, state.rule, is_last=fraction >= 1.0)
    look = StoppingLook(
        study=study,
        number=planned.number,
        rule=asdict(state.rule),
        n_judgments=n_judgments,
        fraction=fraction,
        spent=bound.spent,
        level=bound.level,
        findings=[finding.to_json() for finding in findings],
        says_stop=says_stop,
        reason=reason,
        taken_at=now,
        taken_by=user,
    )
    _keep(look, actor=actor, now=now)
    return look


def examine(
    gathered: StudyObservations, rule: StoppingRule, *, bound: LookBound, seed: int, resamples: int = RESAMPLES
) -> tuple[Finding, ...]:
    """Return the results of a look for each metric, or for each two.

    Standard errors come from the paired bootstrap over images, at system level over systems: the width of the 95 %
    interval divided by nearly four.

    Raises:
        CorrelationInputError: A metric of the rule has no scores, there are too few, or the coefficient is not in the
            protocol.
    """
    metrics = _choose_metrics(gathered, rule)
    of_pairs = rule.kind == SETTLED_RANKING
    if of_pairs and len(metrics) < 2:
        raise CorrelationInputError(f"a ranking needs two metrics with scores; there are {len(metrics)}")
    axes = ("systems",) if gathered.protocol.measures[0].level == "system" else ("images",)
    report = report_observations(
        _keep_metrics(gathered, metrics),
        interval=IntervalRequest("percentile", axes, n_resamples=resamples),
        comparison=ComparisonRequest("bootstrap", axes, resamples, correction="none") if of_pairs else None,
        ceilings=(),
        seed=seed,
    )
    measure = _choose_measure(report, rule)
    found = _judge_pairs(report, measure, bound) if of_pairs else _judge_widths(report, measure, bound, rule.width)
    return tuple(found)


def conclude(findings: Sequence[Finding], rule: StoppingRule, *, is_last: bool) -> tuple[bool, str]:
    """Return whether the rule says stop, and the reason in a sentence."""
    unsettled = [finding.what for finding in findings if not finding.is_settled]
    what = "differences" if rule.kind == SETTLED_RANKING else "intervals"
    if not unsettled:
        return True, f"All {len(findings)} {what} meet the rule."
    shown = ", ".join(unsettled[:5]) + (", …" if len(unsettled) > 5 else "")
    not_yet = f"{len(unsettled)} of {len(findings)} {what} do not meet the rule: {shown}."
    return is_last, f"All planned judgments have been collected. {not_yet}" if is_last else not_yet


def _choose_next(looks: Sequence[PlannedLook], *, n_judgments: int) -> PlannedLook | None:
    """Return the latest due look after the last one taken, else the next one; a skipped look spends no error."""
    last = max((look.number for look in looks if look.taken), default=0)
    left = [look for look in looks if look.number > last]
    due = [look for look in left if look.due_at <= n_judgments]
    return due[-1] if due else left[0] if left else None


def _check_due(study: Study, state: StoppingState) -> PlannedLook:
    if state.said_stop is not None:
        raise CannotLook(f"the rule was met at look {state.said_stop.number}, so there are no further looks")
    if state.next is None:
        raise CannotLook(f"all {state.rule.looks} looks have been taken")
    if not state.is_due:
        raise CannotLook(
            f"look {state.next.number} is due at {state.next.due_at:,} judgments; there are {state.n_judgments:,}"
        )
    for look in state.looks:
        if look.taken and look.taken.rule != asdict(state.rule):
            raise CannotLook(f"the stopping rule of study {study.name} was changed after look {look.number}")
        if look.taken and look.taken.n_judgments >= state.n_judgments:
            raise CannotLook(f"there are no new judgments since look {look.number}")
    return state.next


def _find_bound(state: StoppingState, *, fraction: float) -> LookBound:
    before = [look.taken.fraction for look in state.looks if look.taken]
    return find_bounds([*before, fraction], alpha=state.rule.alpha, spending=state.rule.spending)[-1]


def _choose_metrics(gathered: StudyObservations, rule: StoppingRule) -> tuple[str, ...]:
    there = [each.metric for each in gathered.metrics]
    absent = [name for name in rule.metric_ids if name not in there]
    if absent:
        raise CorrelationInputError(f"study {gathered.study.name} has no scores of {', '.join(absent)}")
    return rule.metric_ids or tuple(there)


def _keep_metrics(gathered: StudyObservations, names: Sequence[str]) -> StudyObservations:
    return replace(gathered, metrics=tuple(each for each in gathered.metrics if each.metric in names))


def _choose_measure(report: Report, rule: StoppingRule) -> ResultMeasure:
    if not rule.measure:
        return report.ranking_measure
    found = [measure for measure in report.measures if measure.coefficient == rule.measure]
    if not found:
        known = ", ".join(dict.fromkeys(measure.coefficient for measure in report.measures))
        raise CorrelationInputError(f"the stopping rule uses {rule.measure}, but the protocol has {known}")
    return report.ranking_measure if report.ranking_measure in found else found[0]


def _judge_widths(report: Report, measure: ResultMeasure, bound: LookBound, width: float) -> Iterator[Finding]:
    for metric in report.metrics:
        row = report.get_row(metric.id, measure)
        verdict = judge_estimate(_known(row.value), error=_measure_error(row.low, row.high), bound=bound)
        yield Finding(metric.id, verdict, is_settled=verdict.width <= width)


def _judge_pairs(report: Report, measure: ResultMeasure, bound: LookBound) -> Iterator[Finding]:
    for first, second in combinations([metric.id for metric in report.metrics], 2):
        found = report.find_difference(first, second, measure)
        value, low, high = (found.difference, found.low, found.high) if found else (None, None, None)
        verdict = judge_estimate(_known(value), error=_measure_error(low, high), bound=bound)
        yield Finding(f"{first} − {second}", verdict, is_settled=verdict.excludes_zero)  # noqa: RUF001


def _measure_error(low: float | None, high: float | None) -> float:
    return float("nan") if low is None or high is None else (high - low) / _STANDARD_ERRORS


def _known(value: float | None) -> float:
    return float("nan") if value is None else value


def _keep(look: StoppingLook, *, actor: Actor, now: datetime) -> None:
    study = look.study
    details = {"number": look.number, "n_judgments": look.n_judgments, "says_stop": look.says_stop}
    try:
        with transaction.atomic():
            look.save(force_insert=True)
            record_change(study, actor=actor, action=AuditAction.LOOKED, now=now, details=details)
            if look.says_stop and look.rule["closes_study"] and study.state == StudyState.OPEN:
                close_study(study, now=now, actor=actor)
    except IntegrityError as error:
        raise CannotLook(f"look {look.number} was taken by somebody else at the same time") from error
