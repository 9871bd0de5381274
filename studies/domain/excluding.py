"""The decision to leave a rater out of the analysis: labelled, reversible, and without touching a judgment."""

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from studies.domain.freezing import mark_stale
from studies.models import Exclusion, Rater


class AlreadyExcluded(Exception):
    """A decision about this rater is in force; it must be lifted before another is made."""


def exclude_rater(
    rater: Rater, *, reason: str, now: datetime, rule: str = "", decided_by: Any | None = None
) -> Exclusion:
    """Leave a rater out of every analysis from now on; return the decision.

    Args:
        rater: Who is left out. The judgments stay, and come back when the decision is lifted.
        reason: In words, with the numbers that led to it.
        now: When.
        rule: The declared rule that it follows; empty for a decision by hand.
        decided_by: The user who decided; None for a rule applied by a command.

    Raises:
        ValueError: There is no reason.
        AlreadyExcluded: A decision is in force.
    """
    if not reason.strip():
        raise ValueError("`reason` must say why the rater is left out, got nothing")
    try:
        with transaction.atomic():
            made = Exclusion.objects.create(
                rater=rater, rule=rule, reason=reason, decided_by=decided_by, decided_at=now
            )
            mark_stale(rater.study, reason="a rater was excluded", now=now)
            return made
    except IntegrityError as error:
        raise AlreadyExcluded(f"rater {rater.pseudonym} is excluded already; lift that decision first") from error


def lift_exclusion(rater: Rater, *, now: datetime) -> bool:
    """Take the decision in force back, keeping its record; return whether there was one."""
    with transaction.atomic():
        lifted = Exclusion.objects.filter(rater=rater, lifted_at=None).update(lifted_at=now)
        if lifted:
            mark_stale(rater.study, reason="the exclusion of a rater was lifted", now=now)
    return bool(lifted)
