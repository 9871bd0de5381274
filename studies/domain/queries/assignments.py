"""What a rater holds, has done and could do."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from studies.domain.design import StudyDesign
from studies.enums import AssignmentState
from studies.models import Assignment, Place, Rater, Task
from studies.models.judgment import LIVE


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How many tasks a rater has submitted, of how many at most."""

    n_done: int
    n_total: int


def count_progress(rater: Rater, *, design: StudyDesign) -> RaterProgress:
    return RaterProgress(n_done=count_submitted(rater), n_total=count_tasks(rater.study_id, design=design))


def count_tasks(study_id: int, *, design: StudyDesign) -> int:
    """Return how many tasks one rater can do at most."""
    n_tasks = Task.objects.filter(study=study_id).count()
    return min(n_tasks, design.tasks_per_rater or n_tasks)


def has_started(rater: Rater) -> bool:
    return Assignment.objects.filter(rater=rater).exists()


def find_assignment(pk: int, *, rater: Rater) -> Assignment | None:
    """Return an assignment of this rater; None also if it is somebody else's."""
    return Assignment.objects.filter(pk=pk, rater=rater).select_related("version").first()


def count_submitted(rater: Rater) -> int:
    return Assignment.objects.filter(rater=rater, state=AssignmentState.SUBMITTED).count()


def find_lease(rater: Rater, *, now: datetime) -> Assignment | None:
    """Return the assignment that the rater is to work on, if there is one whose time has not run out."""
    leases = Assignment.objects.filter(rater=rater, state=AssignmentState.LEASED, expires_at__gt=now)
    return leases.select_related("version", "task").first()


def list_overdue(*, study_id: int, now: datetime) -> QuerySet[Assignment]:
    """Return the leases of a study whose time has run out while they still hold a place."""
    return Assignment.objects.filter(task__study=study_id, state=AssignmentState.LEASED, expires_at__lte=now)


def list_free_places() -> QuerySet[Place]:
    """Return the places that no live assignment holds, lowest number first."""
    holders = Assignment.objects.filter(LIVE, place=OuterRef("pk"))
    return Place.objects.filter(~Exists(holders)).order_by("number")


def list_needs(rater: Rater) -> list[tuple[int, int]]:
    """Return (task, number of its live assignments) of the tasks with a free place that the rater has never held."""
    places = Place.objects.filter(task=OuterRef("pk")).order_by().values("task").annotate(n=Count("pk")).values("n")
    held = Assignment.objects.filter(rater=rater).values("task")
    live = Q(assignments__state__in=[AssignmentState.LEASED, AssignmentState.SUBMITTED])
    tasks = (
        Task.objects.filter(study=rater.study_id)
        .exclude(pk__in=held)
        .annotate(n_live=Count("assignments", filter=live), n_places=Subquery(places))
        .filter(n_live__lt=F("n_places"))
    )
    return list(tasks.order_by().values_list("pk", "n_live"))
