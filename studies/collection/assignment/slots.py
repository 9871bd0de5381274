"""Holding of slots by assignments. `is_held` is maintained by triggers: `triggers/slot_triggers.py`."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from studies.collection.assignment.prepared_writes import update_row
from studies.collection.assignment.rater_assignments import list_wrong_slots
from studies.enums import AssignmentState
from studies.models import Assignment, Slot


def hold_free_slot(free: QuerySet[Slot], *, hold: Callable[[Slot], Assignment]) -> Assignment | None:
    """Lock the first free slot and hold it; return None if there is none.

    A slot taken by another request while this one waited for its lock is no longer free; the next one is tried.
    """
    slot = free.select_for_update(of=("self",)).first()
    return hold(slot) if slot else None


def hold_again(assignment: Assignment, **changes: Any) -> bool:
    """Save changes that keep the assignment live, on its own slot or, if that is taken, on another one of its task."""

    def hold(slot: Slot) -> Assignment:
        _save(assignment, {"slot": slot, **changes})
        return assignment

    if assignment.state == AssignmentState.LEASED or assignment.slot_id is None:
        return _save(assignment, changes)
    free = Slot.objects.filter(task=assignment.task_id, is_held=False).order_by("number")
    own = free.filter(pk=assignment.slot_id)
    return any(hold_free_slot(slots, hold=hold) for slots in (own, free))


def _save(assignment: Assignment, changes: Mapping[str, Any]) -> bool:
    for name, value in changes.items():
        setattr(assignment, name, value)
    update_row(assignment, list(changes))
    return True


def check_slots(study_id: int) -> tuple[int, ...]:
    """Return the primary keys of slots whose `is_held` is wrong; there should never be any."""
    return tuple(list_wrong_slots(study_id).order_by("pk").values_list("pk", flat=True))


def repair_slots(study_id: int) -> int:
    """Correct `is_held` of all slots, in case triggers were missing; return how many were wrong."""
    wrong = list_wrong_slots(study_id).values_list("pk", "is_held")
    return sum(Slot.objects.filter(pk=pk).update(is_held=not is_held) for pk, is_held in list(wrong))
