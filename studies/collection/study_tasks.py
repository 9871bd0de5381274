"""The tasks of a started study, which cannot change; each process caches them."""

from dataclasses import dataclass
from functools import lru_cache

from django.db.models import Q

from studies.enums import TaskRole
from studies.models import Item, Study, Task


@dataclass(frozen=True, slots=True)
class TaskPlan:
    """A task without slots, given to every rater: training, qualification or check."""

    pk: int
    position: int
    role: TaskRole


@dataclass(frozen=True, slots=True)
class StudyTasks:
    """The tasks of a study.

    Attributes:
        n_main: The number of main tasks.
        apart: The other tasks, in order.
        shows_written: Whether any item shows a caption that a rater wrote, in this study or another.
    """

    n_main: int
    apart: tuple[TaskPlan, ...]
    shows_written: bool


def load_plan(study: Study) -> StudyTasks:
    """Return the tasks of a study. They are cached after its start, since triggers prevent changes."""
    # The key includes the random token: no other study has had it, even if the database was replaced.
    return _remember(study.join_token, study.pk) if study.started_at else _read(study.pk)


@lru_cache(maxsize=512)
def _remember(_join_token: str, study_id: int) -> StudyTasks:
    return _read(study_id)


def _read(study_id: int) -> StudyTasks:
    tasks = Task.objects.filter(study=study_id)
    apart = tasks.exclude(role=TaskRole.MAIN).order_by("position").values_list("pk", "position", "role")
    written = (
        Q(candidate__author__isnull=False)
        | Q(other_candidate__author__isnull=False)
        | Q(caption_set__candidates__author__isnull=False)
    )
    return StudyTasks(
        n_main=tasks.filter(role=TaskRole.MAIN).count(),
        apart=tuple(TaskPlan(pk, position, TaskRole(role)) for pk, position, role in apart),
        shows_written=Item.objects.filter(written, task__study=study_id).exists(),
    )
