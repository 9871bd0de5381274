"""The decision to leave a rater out of the analysis: labelled, reversible, and without touching a judgment."""

from datetime import datetime

from django.db import IntegrityError, transaction

from studies.access.auditing import COMMAND_LINE, Actor, record_change
from studies.collection.assigning.replacing import give_slots_back, take_slots_again
from studies.enums import AuditAction
from studies.models import Exclusion, Rater
from studies.shared.stale_reports import mark_stale


class AlreadyExcluded(Exception):
    """A decision about this rater is in force; it must be lifted before another is made."""


def exclude_rater(
    rater: Rater,
    *,
    reason: str,
    now: datetime,
    rule: str = "",
    gives_slots_back: bool = False,
    actor: Actor = COMMAND_LINE,
) -> Exclusion:
    """Leave a rater out of every analysis from now on; return the decision.

    Args:
        rater: Who is left out. The judgments stay, and come back when the decision is lifted.
        reason: In words, with the numbers that led to it.
        now: When.
        rule: The declared rule that it follows; empty for a decision by hand.
        gives_slots_back: Whether other raters are to do the rater's tasks: the slots are free again, also that of a
            task at hand, and the rater's part in the study ends. The judgments stay all the same, and so does the pay.
        actor: Who decided, and by which interface.

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
            if gives_slots_back:
                give_slots_back(made, now=now)
            mark_stale(rater.study, reason="a rater was excluded", now=now)
            details = {"rater": rater.pseudonym, "rule": rule, "reason": reason}
            if gives_slots_back:
                details["slots_given_back"] = made.n_slots
            record_change(rater.study, actor=actor, action=AuditAction.EXCLUDED, now=now, details=details)
            return made
    except IntegrityError as error:
        raise AlreadyExcluded(f"rater {rater.pseudonym} is excluded already; lift that decision first") from error


def lift_exclusion(rater: Rater, *, now: datetime, actor: Actor = COMMAND_LINE) -> bool:
    """Take the decision in force back, keeping its record; return whether there was one.

    Slots that went back are the rater's again as far as nobody holds them; judgments on the others are surplus.
    """
    with transaction.atomic():
        in_force = Exclusion.objects.select_for_update().filter(rater=rater, lifted_at=None).first()
        if in_force is None:
            return False
        in_force.lifted_at = now
        in_force.save(update_fields=["lifted_at"])
        mark_stale(rater.study, reason="the exclusion of a rater was lifted", now=now)
        taken = {} if in_force.n_slots is None else take_slots_again(in_force, now=now)
        details = {"rater": rater.pseudonym, **taken}
        record_change(rater.study, actor=actor, action=AuditAction.READMITTED, now=now, details=details)
    return True
