"""Claims of raters who withdrew: their identity is erased, so whoever presents the receipt is paid."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction, RaterOutcome
from studies.models import Payment, Study, Withdrawal
from studies.shared.errors import Refusal


class NoClaim(Refusal):
    """Nothing is owed for the receipt; the message says why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The amount owed to the holder of a withdrawal receipt."""

    receipt: str
    amount: Decimal
    currency: str


def list_claims(study: Study) -> tuple[Claim, ...]:
    """Return the unpaid claims of raters who withdrew, by receipt."""
    owed = Withdrawal.objects.filter(study=study, owed__gt=0, paid_at=None).order_by("receipt")
    return tuple(Claim(*row) for row in owed.values_list("receipt", "owed", "currency"))


@transaction.atomic
def pay_claim(study: Study, receipt: str, *, now: datetime, actor: Actor = COMMAND_LINE) -> Claim:
    """Record the payment of a claim in the database and in the audit log.

    Raises:
        NoClaim: There is no such receipt in this study, nothing is owed for it, or it has been paid.
    """
    found = Withdrawal.objects.select_for_update().filter(study=study, receipt=receipt.strip().upper()).first()
    if found is None:
        raise NoClaim(f"study {study.name} has no receipt {receipt!r}")
    if not found.owed:
        raise NoClaim(f"nothing is owed on receipt {found.receipt}")
    if found.paid_at:
        raise NoClaim(f"the amount owed on receipt {found.receipt} was paid on {found.paid_at:%Y-%m-%d}")
    found.paid_at = now
    found.save(update_fields=["paid_at"])
    # Omit the receipt, so that the log does not reveal whose claim it was.
    details = {"claims": 1, "total": f"{found.owed:.2f}", "currency": found.currency}
    record_change(study, actor=actor, action=AuditAction.PAID, now=now, details=details)
    return Claim(found.receipt, found.owed, found.currency)


def spend_on_withdrawn(study: Study) -> Decimal:
    """Return what was paid to raters who withdrew: rewards by the panel, payments and claims."""
    rewards = Withdrawal.objects.filter(study=study).values_list("earned", "owed", "paid_at")
    paid = Payment.objects.filter(rater__study=study, rater__outcome=RaterOutcome.WITHDRAWN)
    # Summed in Python: SQLite would add binary fractions.
    amounts = [earned + (owed if paid_at else 0) for earned, owed, paid_at in rewards]
    return sum([*amounts, *paid.values_list("amount", flat=True)], Decimal())
