"""What a rater holds, has done and could do. Progress counts main tasks only: they are those with places."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL

from studies.domain.design import StudyDesign
from studies.enums import AssignmentState, TaskRole
from studies.models import Assignment, Candidate, Item, Place, Rater, Task
from studies.models.judgment import LIVE

# A literal: of a parameter SQLite does not know that the index of leases holds all the rows.
_LEASED: Final = RawSQL(f"'{AssignmentState.LEASED}'", ())  # noqa: S611 - our own word


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How many main tasks a rater has submitted, of how many at most."""

    n_done: int
    n_total: int


def count_progress(rater: Rater, *, design: StudyDesign) -> RaterProgress:
    return RaterProgress(n_done=count_submitted(rater), n_total=count_tasks(rater.study_id, design=design))


def count_tasks(study_id: int, *, design: StudyDesign) -> int:
    """Return how many main tasks one rater can do at most."""
    n_tasks = Task.objects.filter(study=study_id, role=TaskRole.MAIN).count()
    return min(n_tasks, design.tasks_per_rater or n_tasks)


def has_started(rater: Rater) -> bool:
    return Assignment.objects.filter(rater=rater).exists()


def find_assignment(pk: int, *, rater: Rater) -> Assignment | None:
    """Return an assignment of this rater; None also if it is somebody else's."""
    return Assignment.objects.filter(pk=pk, rater=rater).select_related("version", "task").first()


def count_submitted(rater: Rater) -> int:
    """Return how many main tasks the rater has submitted."""
    return Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED, place__isnull=False).count()


def tally_sessions(rater: Rater) -> dict[int, int]:
    """Return session -> number of main tasks submitted in it, of all sessions in which the rater has held one."""
    held = Assignment.objects.filter(rater=rater, place__isnull=False).order_by()
    submitted = Count("pk", filter=Q(state=AssignmentState.SUBMITTED))
    return dict(held.values_list("session").annotate(n=submitted))


def find_lease(rater: Rater, *, now: datetime) -> Assignment | None:
    """Return the assignment that the rater is to work on, if there is one whose time has not run out."""
    leases = Assignment.objects.filter(rater=rater, state=AssignmentState.LEASED, expires_at__gt=now)
    return leases.select_related("version", "task").first()


def find_last_submitted(rater: Rater) -> Assignment | None:
    """Return the assignment that the rater submitted last, of whatever stage."""
    submitted = Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED)
    return submitted.select_related("version", "task").order_by("-submitted_at", "-pk").first()


def list_overdue(*, study_id: int, now: datetime) -> list[int]:
    """Return the primary keys of leases of a study whose time has run out while they still hold a place.

    Read off the index of leases by expiry, of all studies: there are few at any time.
    """
    overdue = Assignment.objects.filter(state=_LEASED, expires_at__lte=now).order_by()
    return sorted(pk for pk, study in overdue.values_list("pk", "task__study") if study == study_id)


def list_tasks_apart(study_id: int) -> list[Task]:
    """Return the tasks without places, which every rater gets: training, qualification, checks; in their order."""
    roles = [role for role in TaskRole if role != TaskRole.MAIN]
    # Sorted here: to spare itself the sorting, SQLite would walk through all tasks.
    found = Task.objects.filter(study=study_id, role__in=roles).order_by()
    return sorted(found, key=lambda task: task.position)


def list_done_apart(rater: Rater) -> frozenset[int]:
    """Return the tasks without places that the rater has submitted; of a qualification those of this attempt."""
    done = Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED, place__isnull=True)
    return frozenset(done.values_list("task", flat=True))


def list_own_tasks(rater: Rater) -> frozenset[int]:
    """Return the tasks of the rater's study that show a caption which the same person wrote, in this study or another.

    A person is known again by the identity that a panel or a personal link gives.
    """
    same = Q(author=rater.pk)
    if rater.identity_hash:
        same |= Q(author__in=Rater.objects.filter(identity_hash=rater.identity_hash).values("pk"))
    written = list(Candidate.objects.filter(same).order_by().values_list("pk", "caption_set"))
    if not written:
        return frozenset()
    captions = [pk for pk, _ in written]
    sets = {caption_set for _, caption_set in written if caption_set is not None}
    shows = Q(candidate__in=captions) | Q(other_candidate__in=captions) | Q(caption_set__in=sets)
    items = Item.objects.filter(shows, task__study=rater.study_id).order_by()
    return frozenset(items.values_list("task", flat=True))


def list_open_places(rater: Rater, *, own_tasks: frozenset[int]) -> QuerySet[Place]:
    """Return the free places of tasks that the rater has never held, those of the tasks in most need first."""
    held = Assignment.objects.filter(rater=rater, place__isnull=False).order_by().values("task")
    return _list_free(rater, own_tasks).exclude(task__in=held).order_by("number", "turn")


def has_place_left(rater: Rater, *, own_tasks: frozenset[int]) -> bool:
    """Whether there is a free place on a task that the rater does not hold, be it one that was given back."""
    live = Assignment.objects.filter(LIVE, rater=rater, place__isnull=False).order_by().values("task")
    return _list_free(rater, own_tasks).exclude(task__in=live).order_by().exists()


def list_wrong_places(study_id: int) -> QuerySet[Place]:
    """Return the places that say of themselves that they are held while they are not, or the other way round."""
    live = Exists(Assignment.objects.filter(LIVE, place=OuterRef("pk")))
    return Place.objects.filter(Q(live, is_held=False) | Q(~live, is_held=True), study=study_id)


def _list_free(rater: Rater, own_tasks: frozenset[int]) -> QuerySet[Place]:
    free = Place.objects.filter(study=rater.study_id, is_held=False)
    return free.exclude(task__in=own_tasks) if own_tasks else free
