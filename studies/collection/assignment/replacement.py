"""Replacement of excluded raters: their slots are released for others; their judgments are kept."""

from datetime import datetime

from studies.collection.assignment.row_locks import lock_rater
from studies.collection.assignment.slots import hold_again
from studies.enums import AssignmentState, RaterOutcome
from studies.models import Assignment, Exclusion, Judgment, Rater


def give_slots_back(decision: Exclusion, *, now: datetime) -> None:
    """End the participation of an excluded rater and free all their slots. Call it within a transaction.

    The exclusion stores how many slots were freed and whether it ended the participation, since events are erased.
    """
    locked = lock_rater(decision.rater_id)
    decision.ended_part = not locked.outcome
    if decision.ended_part:
        Rater.objects.filter(pk=locked.pk).update(outcome=RaterOutcome.LEFT, finished_at=now)
    leased = Assignment.objects.filter(rater=locked, state=AssignmentState.LEASED)
    done = Assignment.objects.filter(rater=locked, state=AssignmentState.SUBMITTED, slot__isnull=False)
    n_leased = leased.filter(slot__isnull=False).count()
    leased.update(state=AssignmentState.RETURNED)
    decision.n_slots = n_leased + done.update(state=AssignmentState.REPLACED)
    decision.save(update_fields=["n_slots", "ended_part"])


def take_slots_again(decision: Exclusion, *, now: datetime) -> dict[str, int]:
    """Resume the rater's participation with the slots that are still free; return how many were and were not.

    Judgments whose slots are taken are surplus, until slots are taken again later.
    """
    locked = lock_rater(decision.rater_id)
    if locked.outcome == RaterOutcome.LEFT and decision.ended_part:
        Rater.objects.filter(pk=locked.pk).update(outcome="", finished_at=None)
    replaced = list(Assignment.objects.filter(rater=locked, state=AssignmentState.REPLACED).order_by("pk"))
    held = [each.pk for each in replaced if hold_again(each, state=AssignmentState.SUBMITTED)]
    lost = {each.pk for each in replaced}.difference(held)
    Judgment.objects.filter(assignment__in=held).update(surplus_since=None)
    Judgment.objects.filter(assignment__in=lost, surplus_since=None).update(surplus_since=now)
    return {"slots_taken_again": len(held), "slots_lost": len(lost)}


def is_replaced(rater: Rater) -> bool:
    """Whether slots of the rater were released, so that the rater gets no more slots."""
    return Assignment.objects.filter(rater=rater, state=AssignmentState.REPLACED).exists()
