"""Studies with training and qualification, and raters who work through them."""

from datetime import timedelta

from studies.collection.assignment import Answer, lease_task, submit_answers
from studies.collection.lifecycle import open_study
from studies.enums import TaskRole
from studies.models import Item
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW

MINUTE = timedelta(minutes=1)
LATE = NOW + 31 * MINUTE
RIGHT, WRONG = 4.0, 1.0


def make_staged_study(*, training=0, trial=0, gold=0, attention=0, main=2, n_items=1, is_open=True, **design):
    """Make a study with that many tasks of each role, main ones last; `RIGHT` is what the others expect.

    The tasks of the `trial` have the role qualification, and `qualification` is the design's rule for it.
    """
    roles = [
        *[TaskRole.TRAINING] * training,
        *[TaskRole.QUALIFICATION] * trial,
        *[TaskRole.GOLD] * gold,
        *[TaskRole.ATTENTION] * attention,
        *[TaskRole.MAIN] * main,
    ]
    study = make_designed_study(n_tasks=len(roles), n_items=n_items, has_files=False, **design)
    for position, role in enumerate(roles):
        study.tasks.filter(position=position).update(role=role)
    apart = Item.objects.filter(task__study=study).exclude(task__role=TaskRole.MAIN)
    apart.update(expected=[RIGHT], feedback="It shows no mistake.")
    if is_open:
        open_study(study, now=NOW)
    return study


def answer(assignment, value=RIGHT):
    return [Answer(item=entry["item"], value=value, elapsed_ms=1500) for entry in assignment.shown]


def submit(assignment, value=RIGHT, *, now=NOW):
    return submit_answers(assignment, answers=answer(assignment, value), now=now)


def work(rater, *values, now=NOW):
    """Let a rater submit one task with each of the values; return the roles of the tasks."""
    roles = []
    for value in values:
        assignment = lease_task(rater, now=now)
        submit(assignment, value, now=now)
        roles.append(assignment.task.role)
    return roles
