"""What is owed to raters who withdrew: nobody knows who they are, so it is paid to whoever shows the receipt."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from studies.access.auditing import COMMAND_LINE, Actor, record_change
from studies.enums import AuditAction, RaterOutcome
from studies.models import Payment, Study, Withdrawal


class NoClaim(Exception):
    """Nothing is owed on the receipt; the message says why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is owed to whoever shows the receipt of a withdrawal."""

    receipt: str
    amount: Decimal
    currency: str


def list_claims(study: Study) -> tuple[Claim, ...]:
    """Return what is owed to raters who withdrew and was not paid yet, by receipt."""
    owed = Withdrawal.objects.filter(study=study, owed__gt=0, paid_at=None).order_by("receipt")
    return tuple(Claim(*row) for row in owed.values_list("receipt", "owed", "currency"))


@transaction.atomic
def pay_claim(study: Study, receipt: str, *, now: datetime, actor: Actor = COMMAND_LINE) -> Claim:
    """Record that what is owed on a receipt was paid to who showed it, and write that down in the history.

    Raises:
        NoClaim: There is no such receipt in this study, nothing is owed on it, or it was paid before.
    """
    found = Withdrawal.objects.select_for_update().filter(study=study, receipt=receipt.strip().upper()).first()
    if found is None:
        raise NoClaim(f"study {study.name} has no receipt {receipt!r}")
    if not found.owed:
        raise NoClaim(f"nothing is owed on receipt {found.receipt}")
    if found.paid_at:
        raise NoClaim(f"what was owed on receipt {found.receipt} was paid on {found.paid_at:%Y-%m-%d}")
    found.paid_at = now
    found.save(update_fields=["paid_at"])
    # Not the receipt: whoever reads the history need not know whose part it was.
    details = {"claims": 1, "total": f"{found.owed:.2f}", "currency": found.currency}
    record_change(study, actor=actor, action=AuditAction.PAID, now=now, details=details)
    return Claim(found.receipt, found.owed, found.currency)


def spend_on_withdrawn(study: Study) -> Decimal:
    """Return what raters who withdrew have got: rewards of the panel, payments, and what was paid on receipts."""
    rewards = Withdrawal.objects.filter(study=study).values_list("earned", "owed", "paid_at")
    paid = Payment.objects.filter(rater__study=study, rater__outcome=RaterOutcome.WITHDRAWN)
    # Added here: SQLite would add binary fractions.
    amounts = [earned + (owed if paid_at else 0) for earned, owed, paid_at in rewards]
    return sum([*amounts, *paid.values_list("amount", flat=True)], Decimal())
