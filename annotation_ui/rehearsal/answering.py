"""What a scripted rater puts into the form of a task: careful, careless, or always the same."""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from django import forms

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import TaskForm
from studies.domain.assigning.grading import is_right
from studies.domain.design import StudyDesign
from studies.domain.queries.shown_tasks import load_shown_items
from studies.models import Assignment, Item

CAPTION: Final = "a person in a red coat walks slowly along a quiet street"
_TRIES: Final = 400


def fill_form(pk: int, *, manner: str, rng: Random) -> dict[str, str]:
    """Return the fields that answer an assignment.

    Args:
        pk: The assignment that the page shows.
        manner: `careful` gives what is expected where an item says so, and else an opinion that careful raters
            share; `careless` anything; `same` always the first choice.
        rng: The rater's.
    """
    assignment = Assignment.objects.select_related("version", "task__study").get(pk=pk)
    design = StudyDesign.from_json(assignment.version.design)
    form = KINDS[assignment.task.study.kind](load_shown_items(assignment), design=design)
    if manner == "same":
        return _keep_valid(form, lambda _: _choose_first(form))
    if manner == "careless":
        return _keep_valid(form, lambda _: _choose_any(form, rng))
    expected = dict(Item.objects.filter(task=assignment.task_id, expected__isnull=False).values_list("pk", "expected"))
    if not expected:
        shared = Random(f"{assignment.task_id}")  # noqa: S311 - the same opinion for all who are careful
        return _keep_valid(form, lambda number: _choose_any(form, rng if number or rng.random() < 0.2 else shared))
    tried = (_keep_valid(form, lambda _: _choose_any(form, rng)) for _ in range(_TRIES))
    return next((fields for fields in tried if _is_expected(form, fields, expected)), _choose_first(form))


def _keep_valid(form: TaskForm, choose: Any) -> dict[str, str]:
    """Return the first choice that the form takes; a person would be told, and choose again."""
    for number in range(_TRIES):
        fields = choose(number)
        if type(form)(form.items, design=form.design, data=fields).is_valid():
            return fields
    return _choose_distinct(form)


def _choose_first(form: TaskForm) -> dict[str, str]:
    return {name: _list_choices(field)[0] for name, field in form.fields.items()}


def _choose_distinct(form: TaskForm) -> dict[str, str]:
    """Give each field another choice, for kinds in which two cannot be the same."""
    return {
        name: _list_choices(field)[number % len(_list_choices(field))]
        for number, (name, field) in enumerate(form.fields.items())
    }


def _choose_any(form: TaskForm, rng: Random) -> dict[str, str]:
    return {name: rng.choice(_list_choices(field)) for name, field in form.fields.items()}


def _list_choices(field: forms.Field) -> list[str]:
    if isinstance(field, forms.ChoiceField):
        return [str(value) for value, _ in field.choices]
    if isinstance(field, forms.FloatField):
        low, high = float(field.min_value or 0), float(field.max_value or 100)
        return [f"{low + part * (high - low) / 4:g}" for part in range(5)]
    return [CAPTION]


def _is_expected(form: TaskForm, fields: Mapping[str, str], expected: Mapping[int, Any]) -> bool:
    bound = type(form)(form.items, design=form.design, data=fields)
    return bound.is_valid() and all(
        is_right(answer.value, expected[answer.item]) for answer in bound.read_answers() if answer.item in expected
    )
