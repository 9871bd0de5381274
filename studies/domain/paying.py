"""What raters earn by the hour, who is owed a top-up, and what is left of the budget.

Time is measured from the lease of a task to its submission, so a pause between two tasks costs nobody anything, and
one inside a task counts up to the end of the lease. Where a panel measures the whole visit, that time is used if it is
longer. A personal link is one visit however many days it spans, so nobody measures that.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_UP, Decimal
from statistics import median
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from studies.domain.design import Pay, StudyDesign
from studies.domain.queries.versions import load_newest_version
from studies.enums import AssignmentState, PanelKind, RaterOutcome, StudyState, TaskRole
from studies.models import Assignment, Identity, Payment, Rater, Study, Submission

_HOUR: Final = 3600
_CENT: Final = Decimal("0.01")
TOP_UP: Final = "top-up to the hourly wage"


class NothingPromised(Exception):
    """The study's design names no reward and no wage, so nothing can be said of pay."""


@dataclass(frozen=True, slots=True)
class Earning:
    """One rater's work and money.

    Attributes:
        rater: The pseudonym.
        outcome: How the part ended; empty while it goes on.
        seconds: Time worked.
        n_sessions: Finished sessions, each of which earns the reward.
        earned: Rewards and payments decided so far, in units of the currency.
        hourly: What that comes to by the hour; None without any time.
        owed: What is missing to the hourly wage, rounded up to the cent; 0 while the rater is at work in an open
            study, and of one who withdrew, whom nobody can find any more.
    """

    rater: str
    outcome: str
    seconds: float
    n_sessions: int
    earned: Decimal
    hourly: Decimal | None
    owed: Decimal


@dataclass(frozen=True, slots=True)
class PayReport:
    """The money of a study.

    Attributes:
        currency: ISO 4217.
        hourly_wage: What the design promises by the hour.
        median_hourly: The median of what raters earn by the hour, top-ups decided included; None without any time.
        spent: Rewards and payments so far, with the panel's fee.
        owed: All that `list_owed` lists, with the panel's fee.
        budget_left: Budget less what is spent and owed; None without a budget.
        earnings: One for each rater with a lease, by pseudonym.
    """

    currency: str
    hourly_wage: Decimal
    median_hourly: Decimal | None
    spent: Decimal
    owed: Decimal
    budget_left: Decimal | None
    earnings: tuple[Earning, ...]

    def list_owed(self) -> tuple[Earning, ...]:
        """Return the earnings with something owed: the top-up list."""
        return tuple(earning for earning in self.earnings if earning.owed)


def report_pay(study: Study) -> PayReport:
    """Return what the raters of a study have earned and what they are owed, those who left or failed included.

    Raises:
        NothingPromised: The design names neither a reward nor a wage.
    """
    design = StudyDesign.from_json(load_newest_version(study).design)
    pay = design.pay
    if not pay.reward and not pay.hourly_wage:
        raise NothingPromised(f"the design of study {study.name} names neither a reward nor an hourly wage")
    earnings = tuple(_list_earnings(study, design))
    hourly = [earning.hourly for earning in earnings if earning.hourly is not None]
    fee = 1 + Decimal(str(pay.fee_share))
    spent = _round(sum((earning.earned for earning in earnings), Decimal()) * fee)
    owed = _round(sum((earning.owed for earning in earnings), Decimal()) * fee)
    return PayReport(
        currency=pay.currency,
        hourly_wage=Decimal(str(pay.hourly_wage)),
        median_hourly=median(hourly) if hourly else None,
        spent=spent,
        owed=owed,
        budget_left=Decimal(str(pay.budget)) - spent - owed if pay.budget else None,
        earnings=earnings,
    )


@transaction.atomic
def decide_top_ups(study: Study, *, now: datetime) -> list[Payment]:
    """Record a payment for each rater who is owed one, so that it is owed no more; return the payments."""
    Study.objects.select_for_update().get(pk=study.pk)
    report = report_pay(study)
    raters = {rater.pseudonym: rater for rater in Rater.objects.filter(study=study)}
    payments = [
        Payment(
            rater=raters[earning.rater],
            amount=earning.owed,
            currency=report.currency,
            reason=TOP_UP,
            decided_at=now,
        )
        for earning in report.list_owed()
    ]
    return Payment.objects.bulk_create(payments)


def list_payees(study: Study) -> list[tuple[str, Decimal, str]]:
    """Return (panel's id of the participant, amount, currency) of payments not yet paid, for the panel's bonus form.

    The only place where money and person meet. Pseudonyms are not told, and the order is that of the ids, so that the
    list does not say who judged what. A participant who is not known any more is left out: the money cannot be sent.
    """
    people = dict(Identity.objects.values_list("identity_hash", "participant_id"))
    totals: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    # Added here: SQLite would add binary fractions.
    for one, currency, amount in _list_unpaid(study).values_list("rater__identity_hash", "currency", "amount"):
        if one in people:
            totals[people[one], currency] += amount
    return sorted((person, amount, currency) for (person, currency), amount in totals.items())


@transaction.atomic
def pay_out(study: Study, *, now: datetime) -> list[tuple[str, Decimal, str]]:
    """Return what `list_payees` does, and record those payments as paid, so that nobody is paid twice."""
    Study.objects.select_for_update().get(pk=study.pk)
    payees = list_payees(study)
    _list_unpaid(study).filter(rater__identity_hash__in=Identity.objects.values("identity_hash")).update(paid_at=now)
    return payees


def _list_unpaid(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(rater__study=study, paid_at=None).exclude(rater__identity_hash="")


def _list_earnings(study: Study, design: StudyDesign) -> Iterable[Earning]:
    visits = _measure_visits(study)
    paid: defaultdict[int, Decimal] = defaultdict(Decimal)
    for pk, amount in Payment.objects.filter(rater__study=study).values_list("rater", "amount"):
        paid[pk] += amount
    raters = Rater.objects.filter(study=study, is_placeholder=False).exclude(assignments=None).order_by("pseudonym")
    for rater in raters.prefetch_related("assignments__task"):
        assignments = list(rater.assignments.all())
        # A visit may be open yet, or have ended before a later session on the same one: never less than the work.
        seconds = max(visits.get(rater.identity_hash, 0.0), sum(map(_measure_assignment, assignments)))
        n_sessions = _count_sessions(rater, assignments, design=design)
        earned = n_sessions * Decimal(str(design.pay.reward)) + paid[rater.pk]
        # Whoever was at work when the study was closed cannot come to an end of their own.
        has_ended = bool(rater.outcome) or study.state == StudyState.CLOSED
        # Of who withdrew nothing is left to send money by: the panel pays by its own record of the visit.
        is_payable = has_ended and rater.outcome != RaterOutcome.WITHDRAWN
        yield Earning(
            rater=rater.pseudonym,
            outcome=rater.outcome,
            seconds=seconds,
            n_sessions=n_sessions,
            earned=earned,
            hourly=_round(earned * _HOUR / Decimal(seconds)) if seconds else None,
            owed=_find_owed(design.pay, seconds=seconds, earned=earned) if is_payable else Decimal(),
        )


def _measure_visits(study: Study) -> dict[str, float]:
    """Return the seconds of each participant's visits that a panel has seen from start to end."""
    seconds: dict[str, float] = {}
    ended = Submission.objects.filter(study=study, ended_at__isnull=False).exclude(panel=PanelKind.IN_HOUSE)
    for one, started_at, ended_at in ended.values_list("identity_hash", "started_at", "ended_at"):
        seconds[one] = seconds.get(one, 0.0) + (ended_at - started_at).total_seconds()
    return seconds


def _measure_assignment(assignment: Assignment) -> float:
    if assignment.submitted_at is None:
        return 0.0
    worked = min(assignment.submitted_at, assignment.expires_at) - assignment.leased_at
    return max(worked, timedelta()).total_seconds()


def _count_sessions(rater: Rater, assignments: Iterable[Assignment], *, design: StudyDesign) -> int:
    """Return how many sessions are done: full ones, and the last of a rater who finished."""
    done: dict[int, int] = {}
    for assignment in assignments:
        if assignment.state == AssignmentState.SUBMITTED and assignment.task.role == TaskRole.MAIN:
            done[assignment.session] = done.get(assignment.session, 0) + 1
    full = {session for session, n_tasks in done.items() if 0 < design.tasks_per_session <= n_tasks}
    last = {max(done)} if done and rater.outcome == RaterOutcome.FINISHED else set()
    return len(full | last)


def _find_owed(pay: Pay, *, seconds: float, earned: Decimal) -> Decimal:
    due = Decimal(str(pay.hourly_wage)) * Decimal(seconds) / _HOUR
    return max(due - earned, Decimal()).quantize(_CENT, rounding=ROUND_UP)


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT)
