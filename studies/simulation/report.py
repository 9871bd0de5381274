"""The report of a simulation, and its deviations from what the panel and the design expect."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import isclose
from statistics import mean
from typing import Final

from studies.collection.pay.earnings import NothingPromised, PayReport, report_pay
from studies.design.completion_codes import find_completion_code
from studies.design.study_design import StudyDesign
from studies.enums import AssignmentState, PanelKind, RaterOutcome, TaskRole
from studies.models import Assignment, Judgment, Rater, Slot, Study, Submission
from studies.monitoring.quality import report_quality
from studies.simulation.raters import BEHAVIOURS, SimulatedVisit


@dataclass(frozen=True, slots=True)
class BehaviourRow:
    """The raters of one behaviour; amounts are exact here, and rounded to cents on pages.

    Attributes:
        behaviour: Its name.
        n: The number of raters.
        outcomes: Their outcomes with counts, as in "3 finished, 1 at work".
        n_coded: The number of raters who returned to the panel with a code.
        n_tasks: The number of main tasks submitted.
        minutes: The mean time worked; None if nobody worked.
        hourly: The mean hourly earnings; None without pay or work.
        n_broken: The number of raters who break a declared exclusion rule.
    """

    behaviour: str
    n: int
    outcomes: str
    n_coded: int
    n_tasks: int
    minutes: float | None
    hourly: Decimal | None
    n_broken: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationCourse:
    """The course of a simulation.

    Attributes:
        rows: One per behaviour.
        n_raters, n_judgments: Totals; only judgments of main tasks are counted.
        n_slots, n_filled: The planned slots, and those that are held.
        minutes: The duration by the simulated clock, from the first arrival to the last step.
        gives_codes: Whether the panel uses completion codes.
    """

    rows: tuple[BehaviourRow, ...]
    n_raters: int
    n_judgments: int
    n_slots: int
    n_filled: int
    minutes: float
    gives_codes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationReport(SimulationCourse):
    """The results and the cost that a researcher can expect.

    Attributes:
        pay: The payments; None if the design promises none.
        problems: Deviations from what the panel or the design expects.
    """

    pay: PayReport | None
    problems: tuple[str, ...]


def report_simulation(
    study: Study, design: StudyDesign, visits: Sequence[SimulatedVisit], *, minutes: float
) -> SimulationReport:
    """Return the report of a completed simulation, which took `minutes`."""
    try:
        pay = report_pay(study)
    except NothingPromised:
        pay = None
    slots = Slot.objects.filter(study=study)
    return SimulationReport(
        rows=tuple(_report_behaviours(study, visits, pay)),
        n_raters=len(visits),
        n_judgments=Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN).count(),
        n_slots=slots.count(),
        n_filled=slots.filter(is_held=True).count(),
        minutes=minutes,
        gives_codes=bool(design.panel.codes),
        pay=pay,
        problems=tuple(_find_problems(study, design, visits, pay)),
    )


def _report_behaviours(study: Study, visits: Sequence[SimulatedVisit], pay: PayReport | None) -> Iterable[BehaviourRow]:
    raters = _match_raters(study, visits)
    earnings = {earning.rater: earning for earning in pay.earnings} if pay else {}
    broken = {record.rater for record in report_quality(study).raters if record.broken}
    for name in BEHAVIOURS:
        mine = [visit for visit in visits if visit.behaviour == name]
        known = [raters[visit.number] for visit in mine if visit.number in raters]
        worked = [earnings[rater.pseudonym] for rater in known if rater.pseudonym in earnings]
        hourly = [earning.hourly for earning in worked if earning.hourly is not None]
        if not mine:
            continue
        yield BehaviourRow(
            behaviour=name,
            n=len(mine),
            outcomes=_count_outcomes([rater.outcome for rater in known], n_absent=len(mine) - len(known)),
            n_coded=sum(bool(visit.code) for visit in mine),
            n_tasks=Assignment.objects.filter(
                rater__in=known, state=AssignmentState.SUBMITTED, slot__isnull=False
            ).count(),
            minutes=mean(earning.seconds for earning in worked) / 60 if worked else None,
            hourly=sum(hourly, Decimal()) / len(hourly) if hourly else None,
            n_broken=sum(rater.pseudonym in broken for rater in known),
        )


def _match_raters(study: Study, visits: Sequence[SimulatedVisit]) -> dict[int, Rater]:
    """Return number of a visit -> rater, by the pseudonym at the end of the visit."""
    by_pseudonym = {rater.pseudonym: rater for rater in Rater.objects.filter(study=study)}
    return {visit.number: by_pseudonym[visit.pseudonym] for visit in visits if visit.pseudonym in by_pseudonym}


def _count_outcomes(outcomes: Sequence[str], *, n_absent: int) -> str:
    names = [outcome or "at work" for outcome in outcomes] + ["not stored"] * n_absent
    return ", ".join(f"{names.count(name)} {name.replace('_', ' ')}" for name in sorted(set(names)))


def _find_problems(
    study: Study, design: StudyDesign, visits: Sequence[SimulatedVisit], pay: PayReport | None
) -> Iterable[str]:
    for visit in visits:
        if visit.problem:
            yield f"rater {visit.number} ({visit.behaviour}): {visit.problem}"
    raters = _match_raters(study, visits)
    for visit in visits:
        yield from _check_visit(visit, raters.get(visit.number), design)
    yield from _check_submissions(study, design)
    yield from _check_wages(pay)


_EARLY: Final = (RaterOutcome.NOT_QUALIFIED, RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT)


def _check_visit(visit: SimulatedVisit, rater: Rater | None, design: StudyDesign) -> Iterable[str]:
    who = f"rater {visit.number} ({visit.behaviour})"
    expected = BEHAVIOURS[visit.behaviour].expected
    outcome = rater.outcome if rater else (RaterOutcome.DECLINED if expected == RaterOutcome.DECLINED else "")
    # A rater may end before showing the behaviour: in the qualification, or because no task is left.
    if outcome in _EARLY or (expected in (RaterOutcome.LEFT, None) and outcome == RaterOutcome.FINISHED):
        expected = RaterOutcome(outcome)
    if outcome != (expected or ""):
        yield f"{who}: should end as {expected or 'at work'}, ended as {outcome or 'at work'}"
    code = find_completion_code(design.panel, outcome) if outcome else ""
    # On a panel that takes form posts, raters without answers have nothing to submit.
    is_silent = design.panel.kind == PanelKind.AMT and outcome in (RaterOutcome.DECLINED, RaterOutcome.NO_TASKS)
    due = "" if is_silent else code
    if visit.code != due:
        # Codes are secret, so name each by its outcome.
        names = {code: f"the code for {outcome}" for outcome, code in design.panel.codes.items() if code}
        expected_code, came_code = (
            names.get(each, "another code") if each else "no code" for each in (due, visit.code)
        )
        yield f"{who}: should come back with {expected_code}, came with {came_code}"


def _check_submissions(study: Study, design: StudyDesign) -> Iterable[str]:
    if design.panel.kind == PanelKind.LINK:
        return
    ended = dict(Rater.objects.filter(study=study).exclude(identity_hash="").values_list("identity_hash", "outcome"))
    for submission in Submission.objects.filter(study=study):
        if submission.outcome != ended.get(submission.identity_hash, ""):
            of_rater = ended.get(submission.identity_hash)
            yield f"submission {submission.pk}: ends as {submission.outcome}, its rater as {of_rater}"


def _check_wages(pay: PayReport | None) -> Iterable[str]:
    for earning in pay.earnings if pay else ():
        due = float(earning.earned + earning.owed)
        least = float(pay.hourly_wage) * earning.seconds / 3600 if earning.outcome else 0.0
        if due < least and not isclose(due, least, abs_tol=0.01):
            yield f"{earning.rater}: earned and owed {due:.2f} for {earning.seconds / 60:.1f} minutes, below the wage"
