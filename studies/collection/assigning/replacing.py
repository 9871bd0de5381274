"""Slots of a rater who is left out of the analysis go back to be filled by others; the judgments stay."""

from datetime import datetime

from studies.collection.assigning.holding import hold_again
from studies.collection.assigning.locking import lock_rater
from studies.enums import AssignmentState, RaterOutcome
from studies.models import Assignment, Exclusion, Judgment, Rater


def give_slots_back(decision: Exclusion, *, now: datetime) -> None:
    """End the part of the rater who is left out, and free all slots that the rater holds. Within a transaction.

    The decision keeps how many these were, and whether the part ended by it: events around a rater are erased.
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
    """Let the rater's part go on, with those of the slots that nobody holds; return how many, and how many not.

    The judgments of the others are surplus from now on, until a later time takes their slots.
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
    """Whether slots of the rater went back, so that none of them is for this rater any more."""
    return Assignment.objects.filter(rater=rater, state=AssignmentState.REPLACED).exists()
