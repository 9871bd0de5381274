"""The decision to leave a rater out of the analysis: labelled, reversible, and without touching a judgment."""

from datetime import datetime

from django.db import IntegrityError, transaction

from studies.domain.auditing import COMMAND_LINE, Actor, record_change
from studies.domain.freezing import mark_stale
from studies.enums import AuditAction
from studies.models import Exclusion, Rater


class AlreadyExcluded(Exception):
    """A decision about this rater is in force; it must be lifted before another is made."""


def exclude_rater(
    rater: Rater, *, reason: str, now: datetime, rule: str = "", actor: Actor = COMMAND_LINE
) -> Exclusion:
    """Leave a rater out of every analysis from now on; return the decision.

    Args:
        rater: Who is left out. The judgments stay, and come back when the decision is lifted.
        reason: In words, with the numbers that led to it.
        now: When.
        rule: The declared rule that it follows; empty for a decision by hand.
        actor: Who decided, and through which door.

    Raises:
        ValueError: There is no reason.
        AlreadyExcluded: A decision is in force.
    """
    if not reason.strip():
        raise ValueError("`reason` must say why the rater is left out, got nothing")
    try:
        with transaction.atomic():
            made = Exclusion.objects.create(
                rater=rater, rule=rule, reason=reason, decided_by=actor.user, decided_at=now
            )
            mark_stale(rater.study, reason="a rater was excluded", now=now)
            details = {"rater": rater.pseudonym, "rule": rule, "reason": reason}
            record_change(rater.study, actor=actor, action=AuditAction.EXCLUDED, now=now, details=details)
            return made
    except IntegrityError as error:
        raise AlreadyExcluded(f"rater {rater.pseudonym} is excluded already; lift that decision first") from error


def lift_exclusion(rater: Rater, *, now: datetime, actor: Actor = COMMAND_LINE) -> bool:
    """Take the decision in force back, keeping its record; return whether there was one."""
    with transaction.atomic():
        lifted = Exclusion.objects.filter(rater=rater, lifted_at=None).update(lifted_at=now)
        if lifted:
            mark_stale(rater.study, reason="the exclusion of a rater was lifted", now=now)
            details = {"rater": rater.pseudonym}
            record_change(rater.study, actor=actor, action=AuditAction.READMITTED, now=now, details=details)
    return bool(lifted)
