"""Excludes raters from the analysis, with a reason, and lifts exclusions; judgments are not changed."""

from datetime import datetime

from django.db import IntegrityError, transaction

from studies.access.audit import COMMAND_LINE, Actor, record_change
from studies.collection.assignment.replacement import give_slots_back, take_slots_again
from studies.design.preregistration.deviations import NOT_CONFIRMED, Confirmation, Deviation, confirm_change
from studies.enums import AuditAction
from studies.models import Exclusion, Rater
from studies.shared.errors import Refusal
from studies.shared.reports import mark_stale


class AlreadyExcluded(Refusal):
    """An exclusion of this rater is in force, which must be lifted before another."""


def exclude_rater(
    rater: Rater,
    *,
    reason: str,
    now: datetime,
    rule: str = "",
    gives_slots_back: bool = False,
    actor: Actor = COMMAND_LINE,
    confirmation: Confirmation = NOT_CONFIRMED,
) -> Exclusion:
    """Exclude a rater from every analysis from now on; return the decision.

    Args:
        rater: The rater. The judgments remain, and count again when the exclusion is lifted.
        reason: The reason in words, with the numbers that led to it.
        rule: The declared rule; empty for a manual decision.
        gives_slots_back: Whether other raters should do the rater's tasks: the slots are freed, including that of a
            current task, and the rater's participation ends. Judgments and pay are not affected.
        actor: Who decided, and by which interface.
        confirmation: Whether a manual exclusion is confirmed, which deviates from any preregistration.

    Raises:
        ValueError: The reason is empty.
        DeviationNotConfirmed: The study is preregistered, and a manual exclusion is not confirmed.
        AlreadyExcluded: An exclusion is in force.
    """
    if not reason.strip():
        raise ValueError("`reason` must say why the rater is excluded, got nothing")
    try:
        with transaction.atomic():
            made = Exclusion.objects.create(
                rater=rater, rule=rule, reason=reason, decided_by=actor.user, decided_at=now
            )
            if gives_slots_back:
                give_slots_back(made, now=now)
            mark_stale(rater.study, reason="a rater was excluded", now=now)
            details = {"rater": rater.pseudonym, "rule": rule, "reason": reason}
            if not rule:
                deviation = Deviation("rater excluded manually", preregistered="", now=f"{rater}: {reason}")
                details |= confirm_change(rater.study, lambda _: [deviation], confirmation=confirmation)
            if gives_slots_back:
                details["slots_given_back"] = made.n_slots
            record_change(rater.study, actor=actor, action=AuditAction.EXCLUDED, now=now, details=details)
            return made
    except IntegrityError as error:
        raise AlreadyExcluded(f"rater {rater.pseudonym} is already excluded; lift that exclusion first") from error


def lift_exclusion(rater: Rater, *, now: datetime, actor: Actor = COMMAND_LINE) -> bool:
    """Lift the exclusion in force, keeping its record; return whether there was one.

    Freed slots are given back to the rater unless others hold them; the rater's judgments on the others are surplus.
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
