"""Hourly earnings of raters, top-ups owed to them, and the remaining budget.

Time is measured from the lease of a task to its submission: a pause between tasks does not count, and one within a
task counts up to the end of the lease. If a panel measures the whole visit and that time is longer, it is used: the
time between tasks counts up to `lease_minutes` per visit, so a page left open earns nothing. A personal link is one
visit that may span days, so its duration is not measured.

A rater whose session was cut short, because others took the last tasks, the study was closed or the slots were
released, is owed the share of the reward that they have done, or the wage for their time if that is more. A rater who
got no task earns nothing.

After a withdrawal there is no identity to send money to. The earnings are stored with the receipt, and the part that
the panel does not pay by itself is owed to the holder of the receipt.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_UP, Decimal
from statistics import median
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.arrival.identities import name_people
from studies.collection.assignment.rater_assignments import count_session_tasks
from studies.collection.pay.claims import Claim, list_claims, spend_on_withdrawn
from studies.design.study_design import Pay, StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, PanelKind, RaterOutcome, StudyState, TaskRole
from studies.models import Assignment, Exclusion, Identity, Payment, Rater, Study, Submission
from studies.models.judgment import DONE
from studies.shared.errors import Refusal

_HOUR: Final = 3600
_CENT: Final = Decimal("0.01")
TOP_UP: Final = "top-up to the hourly wage"


_CUT: Final = (RaterOutcome.NO_TASKS, RaterOutcome.CUT_SHORT)
_PANELS: Final = (PanelKind.PROLIFIC, PanelKind.GENERIC, PanelKind.AMT)
"""Panels that pay the reward themselves, by a code or an assignment."""


class NothingPromised(Refusal):
    """The study's design has neither a reward nor a wage, so pay cannot be reported."""


@dataclass(frozen=True, slots=True)
class Earning:
    """One rater's working time and earnings.

    Attributes:
        rater: The pseudonym.
        outcome: The outcome of the participation; empty while it is active.
        seconds: Time worked.
        n_sessions: The number of finished sessions, each of which earns the reward.
        earned: Rewards and recorded payments so far, in units of the currency.
        hourly: Earnings per hour; None if no time was worked.
        owed: The difference to the hourly wage, or to the share of a session that was cut short, rounded up to cents;
                0 while the rater is active in an open study.
    """

    rater: str
    outcome: str
    seconds: float
    n_sessions: int
    earned: Decimal
    hourly: Decimal | None
    owed: Decimal

    @property
    def outcome_words(self) -> str:
        return RaterOutcome.describe(self.outcome)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement of a rater who withdraws: what the panel pays, and what is owed in addition."""

    earned: Decimal
    owed: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class PayReport:
    """The pay report of a study.

    Attributes:
        currency: ISO 4217.
        hourly_wage: The hourly wage in the design.
        median_hourly: The median of hourly earnings, including recorded top-ups; None if no time was worked.
        spent: Rewards and payments so far, including those of withdrawn raters, with the panel's fee.
        owed: The sum of `list_owed` and `claims`, with the panel's fee.
        budget_left: Budget less what is spent and owed; None without a budget.
        earnings: One for each rater with a lease, by pseudonym, except withdrawn raters.
        claims: The claims of withdrawn raters, by receipt.
    """

    currency: str
    hourly_wage: Decimal
    median_hourly: Decimal | None
    spent: Decimal
    owed: Decimal
    budget_left: Decimal | None
    earnings: tuple[Earning, ...]
    claims: tuple[Claim, ...] = ()

    def list_owed(self) -> tuple[Earning, ...]:
        """Return the earnings with an amount owed, for the top-up list."""
        return tuple(earning for earning in self.earnings if earning.owed)


def report_pay(study: Study) -> PayReport:
    """Return the earnings of a study's raters and the amounts owed, including raters who left or failed.

    Raises:
        NothingPromised: The design has neither a reward nor a wage.
    """
    design = StudyDesign.from_json(load_newest_version(study).design)
    pay = design.pay
    if not pay.reward and not pay.hourly_wage:
        raise NothingPromised(f"the design of study {study.name} sets neither a reward nor an hourly wage")
    earnings = tuple(_list_earnings(study, design))
    claims = list_claims(study)
    hourly = [earning.hourly for earning in earnings if earning.hourly is not None]
    fee = 1 + Decimal(str(pay.fee_share))
    spent = _round((sum((earning.earned for earning in earnings), Decimal()) + spend_on_withdrawn(study)) * fee)
    open_amounts = [*(earning.owed for earning in earnings), *(claim.amount for claim in claims)]
    owed = _round(sum(open_amounts, Decimal()) * fee)
    return PayReport(
        currency=pay.currency,
        hourly_wage=Decimal(str(pay.hourly_wage)),
        median_hourly=median(hourly) if hourly else None,
        spent=spent,
        owed=owed,
        budget_left=Decimal(str(pay.budget)) - spent - owed if pay.budget else None,
        earnings=earnings,
        claims=claims,
    )


def settle(rater: Rater) -> Settlement:
    """Settle the account of a rater who withdraws, including open payments, before their data are erased."""
    study = rater.study
    design = StudyDesign.from_json(load_newest_version(study).design)
    earning = next(iter(_list_earnings(study, design, only=rater)), None)
    # These payments cannot be sent any more. Payments in another currency need a manual decision.
    unpaid = Payment.objects.filter(rater=rater, paid_at=None, currency=design.pay.currency)
    owed = sum(unpaid.values_list("amount", flat=True), Decimal())
    unpaid.delete()
    reward = Decimal(str(design.pay.reward)) * (earning.n_sessions if earning else 0)
    is_paid_by_panel = design.panel.kind in _PANELS
    return Settlement(
        earned=_round(reward) if is_paid_by_panel else Decimal(),
        owed=_round(owed + (earning.owed if earning else 0) + (0 if is_paid_by_panel else reward)),
        currency=design.pay.currency,
    )


def list_creditors(study: Study) -> frozenset[str]:
    """Return the identity hashes of people to whom the study owes money, recorded or not."""
    owed = set(_list_unpaid(study).values_list("rater__identity_hash", flat=True))
    try:
        names = [earning.rater for earning in report_pay(study).list_owed()]
    except NothingPromised:
        names = []
    raters = Rater.objects.filter(study=study, pseudonym__in=names).exclude(identity_hash="")
    return frozenset(owed | set(raters.values_list("identity_hash", flat=True)))


@transaction.atomic
def decide_top_ups(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> list[Payment]:
    """Record a payment for each rater who is owed one; return the payments."""
    Study.objects.select_for_update().get(pk=study.pk)
    report = report_pay(study)
    raters = {rater.pseudonym: rater for rater in Rater.objects.filter(study=study)}
    payments = [
        Payment(
            rater=raters[earning.rater], amount=earning.owed, currency=report.currency, reason=TOP_UP, decided_at=now
        )
        for earning in report.list_owed()
    ]
    if payments:
        # Log only the total; amounts per person are visible only to those who pay.
        total = sum((payment.amount for payment in payments), Decimal())
        details = {"payments": len(payments), "total": f"{total:.2f}", "currency": report.currency}
        record_change(study, actor=actor, action=AuditAction.PAY_DECIDED, now=now, details=details)
    return Payment.objects.bulk_create(payments)


def list_payees(study: Study) -> list[tuple[str, Decimal, str]]:
    """Return (panel's id of the participant, amount, currency) of payments not yet paid, for the panel's bonus form.

    The only place that links payments to identities. Pseudonyms are omitted, and rows are sorted by id, so the list
    does not reveal who judged what. Participants whose identity was erased are omitted, since they cannot be paid.
    """
    people = name_people(Rater.objects.filter(study=study))
    totals: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
    # Added here: SQLite would add binary fractions.
    for one, currency, amount in _list_unpaid(study).values_list("rater__identity_hash", "currency", "amount"):
        if one in people:
            totals[people[one], currency] += amount
    return sorted((person, amount, currency) for (person, currency), amount in totals.items())


def count_unpaid(study: Study) -> int:
    """Return the number of recorded payments that have not been paid, whose people are known."""
    return _list_unpaid(study).count()


@transaction.atomic
def pay_out(study: Study, *, now: datetime, actor: Actor = COMMAND_LINE) -> list[tuple[str, Decimal, str]]:
    """Return the result of `list_payees`, and mark those payments as paid, so that nobody is paid twice."""
    Study.objects.select_for_update().get(pk=study.pk)
    payees = list_payees(study)
    _list_unpaid(study).filter(rater__identity_hash__in=Identity.objects.values("identity_hash")).update(paid_at=now)
    if payees:
        record_change(study, actor=actor, action=AuditAction.PAID, now=now, details={"people": len(payees)})
    return payees


def _list_unpaid(study: Study) -> QuerySet[Payment]:
    return Payment.objects.filter(rater__study=study, paid_at=None).exclude(rater__identity_hash="")


def _list_earnings(study: Study, design: StudyDesign, *, only: Rater | None = None) -> Iterable[Earning]:
    """Yield the earnings of each rater; with `only`, of this rater as if their participation ended now."""
    lease = timedelta(minutes=design.lease_minutes).total_seconds()
    visits = _measure_visits(study)
    paid: defaultdict[int, Decimal] = defaultdict(Decimal)
    for pk, amount in Payment.objects.filter(rater__study=study).values_list("rater", "amount"):
        paid[pk] += amount
    ending = Exclusion.objects.filter(rater__study=study, ended_part=True, lifted_at=None)
    left_out = frozenset(ending.values_list("rater", flat=True))
    raters = Rater.objects.filter(study=study, is_placeholder=False).exclude(assignments=None).order_by("pseudonym")
    raters = raters.filter(pk=only.pk) if only else raters.exclude(outcome=RaterOutcome.WITHDRAWN)
    for rater in raters.prefetch_related("assignments__task"):
        assignments = list(rater.assignments.all())
        worked = sum(min(_measure_assignment(assignment), lease) for assignment in assignments)
        seconds = _add_visits(worked, visits.get(rater.identity_hash, []), longest_beside=lease)
        is_cut = _is_cut(rater, study=study, left_out=left_out)
        n_sessions, share = _count_sessions(rater, assignments, study=study, design=design, is_cut=is_cut)
        reward = Decimal(str(design.pay.reward))
        earned = n_sessions * reward + paid[rater.pk]
        least = (n_sessions + share) * reward if share else Decimal()
        # Raters active when the study was closed cannot finish by themselves.
        has_ended = bool(rater.outcome) or study.state == StudyState.CLOSED or only is not None
        yield Earning(
            rater=rater.pseudonym,
            outcome=rater.outcome,
            seconds=seconds,
            n_sessions=n_sessions,
            earned=earned,
            hourly=_round(earned * _HOUR / Decimal(seconds)) if seconds else None,
            owed=_find_owed(design.pay, seconds=seconds, earned=earned, least=least) if has_ended else Decimal(),
        )


def _measure_visits(study: Study) -> dict[str, list[float]]:
    """Return the seconds of each participant's visits whose start and end were recorded by a panel."""
    seconds: dict[str, list[float]] = {}
    ended = Submission.objects.filter(study=study, ended_at__isnull=False).exclude(panel=PanelKind.IN_HOUSE)
    for one, started_at, ended_at in ended.values_list("identity_hash", "started_at", "ended_at"):
        seconds.setdefault(one, []).append((ended_at - started_at).total_seconds())
    return seconds


def _add_visits(worked: float, visits: Sequence[float], *, longest_beside: float) -> float:
    """Return the paid seconds: the work, plus time beside the work up to a maximum per visit.

    The result is never less than the work, since a visit may be open or may have ended before a later session.
    """
    return max(worked, min(sum(visits), worked + longest_beside * len(visits)))


def _measure_assignment(assignment: Assignment) -> float:
    if assignment.submitted_at is None:
        return 0.0
    return max(assignment.submitted_at - assignment.leased_at, timedelta()).total_seconds()


def _is_cut(rater: Rater, *, study: Study, left_out: frozenset[int]) -> bool:
    """Return whether the rater's last session was cut short by the study, other raters or an exclusion."""
    if rater.outcome == RaterOutcome.LEFT:
        return rater.pk in left_out
    return rater.outcome in _CUT or (not rater.outcome and study.state == StudyState.CLOSED)


def _count_sessions(
    rater: Rater, assignments: Iterable[Assignment], *, study: Study, design: StudyDesign, is_cut: bool
) -> tuple[int, Decimal]:
    """Return the number of sessions done (full ones, and the last of a rater who finished), and the share done of a
    session that was cut short.
    """
    done: dict[int, int] = {}
    for assignment in assignments:
        if assignment.state in DONE and assignment.task.role == TaskRole.MAIN:
            done[assignment.session] = done.get(assignment.session, 0) + 1
    full = {session for session, n_tasks in done.items() if 0 < design.tasks_per_session <= n_tasks}
    last = {max(done)} if done and rater.outcome == RaterOutcome.FINISHED else set()
    n_done = len(full | last)
    if not is_cut or not done or max(done) in full:
        return n_done, Decimal()
    here = done[max(done)]
    planned = count_session_tasks(study, design=design, n_before=sum(done.values()) - here)
    return n_done, Decimal(min(here, planned)) / Decimal(max(planned, 1))


def _find_owed(pay: Pay, *, seconds: float, earned: Decimal, least: Decimal) -> Decimal:
    due = max(Decimal(str(pay.hourly_wage)) * Decimal(seconds) / _HOUR, least)
    return max(due - earned, Decimal()).quantize(_CENT, rounding=ROUND_UP)


def _round(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT)
