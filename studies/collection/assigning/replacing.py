"""Places of a rater who is left out of the analysis go back to be filled by others; the judgments stay."""

from datetime import datetime

from studies.collection.assigning.holding import hold_again
from studies.collection.assigning.locking import lock_rater
from studies.enums import AssignmentState, EventKind, RaterOutcome
from studies.models import Assignment, Rater, RaterEvent


def give_places_back(rater: Rater, *, now: datetime) -> int:
    """End the rater's part, and free all places that the rater holds; return how many. Within a transaction."""
    locked = lock_rater(rater.pk)
    if not locked.outcome:
        Rater.objects.filter(pk=locked.pk).update(outcome=RaterOutcome.LEFT, finished_at=now)
    leased = Assignment.objects.filter(rater=locked, state=AssignmentState.LEASED)
    done = Assignment.objects.filter(rater=locked, state=AssignmentState.SUBMITTED, place__isnull=False)
    n_leased = leased.filter(place__isnull=False).count()
    leased.update(state=AssignmentState.RETURNED)
    return n_leased + done.update(state=AssignmentState.REPLACED)


def take_places_again(rater: Rater) -> dict[str, int]:
    """Let the rater's part go on, with those of the places that nobody holds; return how many, and how many not."""
    locked = lock_rater(rater.pk)
    has_left = RaterEvent.objects.filter(rater=locked, kind=EventKind.LEFT).exists()
    if locked.outcome == RaterOutcome.LEFT and not has_left:
        Rater.objects.filter(pk=locked.pk).update(outcome="", finished_at=None)
    replaced = list(Assignment.objects.filter(rater=locked, state=AssignmentState.REPLACED).order_by("pk"))
    held = sum(hold_again(assignment, state=AssignmentState.SUBMITTED) for assignment in replaced)
    return {"places_taken_again": held, "places_lost": len(replaced) - held}


def is_replaced(rater: Rater) -> bool:
    """Whether places of the rater went back, so that none of them is for this rater any more."""
    return Assignment.objects.filter(rater=rater, state=AssignmentState.REPLACED).exists()
