"""The tasks of a preview: the first task of each role, as a rater would see it, without a lease."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import TaskForm
from annotation_ui.kinds.wording import describe_answer, describe_expected
from annotation_ui.views.learning import Feedback
from studies.collection.assignment import GradedItem, Stage, StageName
from studies.collection.assignment.grading import is_right
from studies.collection.ordering import arrange_items
from studies.collection.shown_tasks import load_shown_items
from studies.design.study_design import StudyDesign
from studies.enums import TaskRole
from studies.models import Assignment, Item, Study, Task

_ORDER: Final = (TaskRole.TRAINING, TaskRole.QUALIFICATION, TaskRole.MAIN, TaskRole.GOLD, TaskRole.ATTENTION)
_STAGES: Final = {TaskRole.TRAINING: StageName.TRAINING, TaskRole.QUALIFICATION: StageName.QUALIFICATION}


@dataclass(frozen=True, slots=True)
class ShownTask:
    """A task of a preview, its number, and the next task (None for the last)."""

    task: Task
    number: int
    n_tasks: int
    following: int | None

    @property
    def stage(self) -> Stage:
        name = _STAGES.get(TaskRole(self.task.role), StageName.MAIN)
        return Stage(name, n_done=self.number - 1, n_total=self.n_tasks)


def list_tasks(study: Study) -> list[ShownTask]:
    """Return the first task of each role in the study, in the order of roles for raters."""
    first = [Task.objects.filter(study=study, role=role).order_by("position").first() for role in _ORDER]
    tasks = [task for task in first if task is not None]
    keys = [*(task.pk for task in tasks[1:]), None]
    return [
        ShownTask(task, number=number, n_tasks=len(tasks), following=following)
        for number, (task, following) in enumerate(zip(tasks, keys[: len(tasks)], strict=True), start=1)
    ]


def make_form(study: Study, task: Task, *, design: StudyDesign, data: Mapping[str, Any] | None = None) -> TaskForm:
    """Return the form of a task as shown to the rater in its first slot."""
    items = list(task.items.select_related("caption_set").prefetch_related("caption_set__candidates"))
    shown = arrange_items(items, seed=study.seed, task_position=task.position, slot_number=1)
    # Not saved, only used for showing the task.
    lease = Assignment(study=study, task=task, shown=shown)
    return KINDS[study.kind](load_shown_items(lease, seed=study.seed), design=design, data=data)


def grade_form(study: Study, form: TaskForm) -> list[Feedback]:
    """Return the feedback of training for the answers of a valid form."""
    items = Item.objects.in_bulk([shown.pk for shown in form.items])
    given = {answer.item: answer.value for answer in form.read_answers()}
    found = []
    for shown in form.items:
        item, value = items[shown.pk], given[shown.pk]
        expected = tuple(item.expected or ())
        graded = GradedItem(item.pk, value, is_right(value, expected) if expected else None, expected, item.feedback)
        words = {"shown": shown, "design": form.design}
        found.append(
            Feedback(
                shown=shown,
                graded=graded,
                answer=describe_answer(study.kind, value, **words),
                expected=describe_expected(study.kind, expected, **words),
            )
        )
    return found
