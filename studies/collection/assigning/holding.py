"""Who holds a place. That a place knows of it (`is_held`) is a trigger's work: `studies.collection.place_triggers`."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from studies.collection.assignments import list_wrong_places
from studies.enums import AssignmentState
from studies.models import Assignment, Place


def hold_free_place(free: QuerySet[Place], *, hold: Callable[[Place], Assignment]) -> Assignment | None:
    """Lock the first of the free places and hold it; None if there is none.

    A place that somebody took while we waited for its lock is not free any more by then, and the next one is taken.
    """
    place = free.select_for_update(of=("self",)).first()
    return hold(place) if place else None


def hold_again(assignment: Assignment, **changes: Any) -> bool:
    """Save changes that leave the assignment live, on its own place or, if that is taken, on another of its task."""

    def hold(place: Place) -> Assignment:
        _save(assignment, {"place": place, **changes})
        return assignment

    if assignment.state == AssignmentState.LEASED or assignment.place_id is None:
        return _save(assignment, changes)
    free = Place.objects.filter(task=assignment.task_id, is_held=False).order_by("number")
    own = free.filter(pk=assignment.place_id)
    return any(hold_free_place(places, hold=hold) for places in (own, free))


def _save(assignment: Assignment, changes: Mapping[str, Any]) -> bool:
    for name, value in changes.items():
        setattr(assignment, name, value)
    assignment.save(update_fields=list(changes))
    return True


def check_places(study_id: int) -> tuple[int, ...]:
    """Return the primary keys of places that do not say truly whether a live assignment holds them: none, always."""
    return tuple(list_wrong_places(study_id).order_by("pk").values_list("pk", flat=True))


def repair_places(study_id: int) -> int:
    """Make all places say truly whether they are held, should triggers have been away; return how many were wrong."""
    wrong = list_wrong_places(study_id).values_list("pk", "is_held")
    return sum(Place.objects.filter(pk=pk).update(is_held=not is_held) for pk, is_held in list(wrong))
