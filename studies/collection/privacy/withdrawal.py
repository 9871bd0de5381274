"""Withdrawal of raters: their identity is erased at once, and on request their judgments too."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from random import Random
from typing import Final

from django.db.models import Q

from studies.access.audit import Actor, record_change
from studies.collection.arrival.identities import list_same_people
from studies.collection.pay.earnings import Settlement, settle
from studies.collection.privacy.erasure import erase_identities
from studies.collection.privacy.erasure_log import Erasure, commit_erasures, list_rater_subjects, log_erasures
from studies.enums import AssignmentState, AuditAction, EventKind, Interface, RaterOutcome
from studies.models import (
    Assignment,
    Candidate,
    Item,
    Judgment,
    JudgmentRevision,
    QualificationAttempt,
    Rater,
    RaterEvent,
    Withdrawal,
)
from studies.models.judgment import DONE
from studies.shared.codes import make_code
from studies.shared.reports import mark_stale

_LENGTH: Final = 12


class AlreadyWithdrawn(Exception):
    """The rater has already withdrawn."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The receipt of a withdrawal.

    Attributes:
        code: Identifies the withdrawal, but neither a person nor a pseudonym.
        n_judgments_erased: The number of judgments erased.
        n_judgments_kept: The number of judgments kept, without anything that identifies the rater.
        withdrawn_at: The time.
        owed: The amount owed to the holder of the receipt, in addition to what a panel pays by itself.
        currency: ISO 4217.
    """

    code: str
    n_judgments_erased: int
    n_judgments_kept: int
    withdrawn_at: datetime
    owed: Decimal
    currency: str


@commit_erasures()
def withdraw(rater: Rater, *, erase_judgments: bool, now: datetime, rng: Random, receipt: str = "") -> Receipt:
    """Erase the rater's identity and, on request, their answers; return the receipt.

    Slots of erased judgments become free, so that an open study can assign them to others. Works in closed studies too.
    Written captions are answers and are erased with the judgments; those already imported as candidates are erased
    unless a study has items with them, which cannot change. If servers with different keys registered a person twice in
    the study, both raters are withdrawn together, with one receipt.

    Args:
        erase_judgments: Whether to erase the judgments; if not, they stay under a pseudonym without identity.
        rng: Draws the receipt's code; `secrets.SystemRandom()` outside of tests.
        receipt: The existing code, if a withdrawal is repeated after a restore.

    Raises:
        AlreadyWithdrawn: The rater has already withdrawn.
        LogUnwritable: The log of erasures cannot be written; nothing is erased then.
    """
    raters = _lock_person(rater)
    locked = next(one for one in raters if one.pk == rater.pk)
    if locked.outcome == RaterOutcome.WITHDRAWN:
        raise AlreadyWithdrawn("You have withdrawn from this study before. No data that identifies you is left here.")
    # Settle first: earnings are computed from data that are about to be erased.
    account = _add_up([settle(one) for one in raters])
    _end_leases(raters, with_submitted=erase_judgments)
    n_erased = sum(_erase_answers(one) for one in raters) if erase_judgments else 0
    if n_erased:
        mark_stale(locked.study, reason="a rater withdrew, and judgments were erased", now=now)
    erase_identities([locked.identity_hash], study=locked.study, now=now, is_logged=not receipt)
    people = Rater.objects.filter(pk__in=[one.pk for one in raters])
    people.update(identity_hash="", outcome=RaterOutcome.WITHDRAWN, finished_at=now)
    RaterEvent.objects.filter(rater__in=raters).delete()
    RaterEvent.objects.create(study=locked.study, kind=EventKind.WITHDREW, at=now)
    # The study may know that judgments were erased, but not whose.
    erased = {"judgments_erased": n_erased}
    actor = Actor(user=None, interface=Interface.PAGE)
    record_change(locked.study, actor=actor, action=AuditAction.WITHDRAWN, now=now, details=erased)
    code = receipt or _make_receipt_code(rng)
    written = _write_receipt(raters, account, n_erased=n_erased, now=now, code=code)
    if not receipt:
        log_erasures([Erasure(list_rater_subjects(one)[0], now, erase_judgments, code) for one in raters])
    return written


def _lock_person(rater: Rater) -> list[Rater]:
    """Lock and return the rater, and any other rater of the study who is the same person."""
    known = Rater.objects.values_list("identity_hash", flat=True).get(pk=rater.pk)
    same = frozenset().union(*list_same_people([known]).values())
    # Lock in a fixed order to prevent deadlocks between two requests of one person.
    raters = Rater.objects.select_for_update(of=("self",)).filter(
        Q(pk=rater.pk) | Q(study=rater.study_id, identity_hash__in=same)
    )
    return list(raters.select_related("study").order_by("pk"))


def _add_up(accounts: Sequence[Settlement]) -> Settlement:
    return Settlement(
        earned=sum((one.earned for one in accounts), Decimal()),
        owed=sum((one.owed for one in accounts), Decimal()),
        currency=accounts[0].currency,
    )


def _end_leases(raters: Sequence[Rater], *, with_submitted: bool) -> None:
    states = [AssignmentState.LEASED, *(DONE if with_submitted else [])]
    ended = Assignment.objects.filter(rater__in=raters, state__in=states)
    ended.update(state=AssignmentState.RETURNED, submitted_at=None)


def _erase_answers(rater: Rater) -> int:
    JudgmentRevision.objects.filter(judgment__rater=rater).delete()
    n_erased, _ = Judgment.objects.filter(rater=rater).delete()
    QualificationAttempt.objects.filter(rater=rater).delete()
    written = Candidate.objects.filter(author=rater)
    judged = Item.objects.filter(
        Q(candidate__in=written) | Q(other_candidate__in=written) | Q(caption_set__candidates__in=written)
    ).values_list("candidate", "other_candidate", "caption_set")
    singles = {pk for *pair, _ in judged for pk in pair if pk is not None}
    sets = {pk for *_, pk in judged if pk is not None}
    kept = Q(pk__in=singles) | Q(caption_set__isnull=False, caption_set__in=sets)
    written.exclude(kept).delete()
    return n_erased


def _make_receipt_code(rng: Random) -> str:
    code = make_code(rng, length=_LENGTH)
    return "-".join(code[start : start + 4] for start in range(0, _LENGTH, 4))


def _write_receipt(raters: Sequence[Rater], account: Settlement, *, n_erased: int, now: datetime, code: str) -> Receipt:
    kept = Withdrawal.objects.create(
        study=raters[0].study,
        receipt=code,
        n_judgments_erased=n_erased,
        n_judgments_kept=Judgment.objects.filter(rater__in=raters).count(),
        withdrawn_at=now,
        earned=account.earned,
        owed=account.owed,
        currency=account.currency,
    )
    return Receipt(
        code=kept.receipt,
        n_judgments_erased=kept.n_judgments_erased,
        n_judgments_kept=kept.n_judgments_kept,
        withdrawn_at=now,
        owed=account.owed,
        currency=account.currency,
    )
