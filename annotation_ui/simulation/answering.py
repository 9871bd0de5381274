"""What a scripted rater puts into the form of a task: careful, careless, or always the same."""

from collections.abc import Mapping
from itertools import islice, product
from math import inf
from random import Random
from statistics import mean
from typing import Any, Final

from django import forms

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import ItemForm, TaskForm
from annotation_ui.kinds.pairwise import FIRST, NEITHER, SECOND, PairwiseForm
from annotation_ui.simulation.perceiving import Perception
from studies.collection.assigning.grading import is_right
from studies.collection.shown_tasks import ShownItem, load_shown_items
from studies.design.design import StudyDesign
from studies.models import Assignment, Item

CAPTION: Final = "a person in a red coat walks slowly along a quiet street"
_TRIES: Final = 400
_MOST_POINTS: Final = 100
"""Of a slider, beyond which none is more likely to be meant than its neighbour."""
_NO_DIFFERENCE: Final = 0.05
"""What two captions must differ by to be told apart, where a rater need not prefer one."""


def fill_form(pk: int, *, manner: str, rng: Random, perception: Perception) -> dict[str, str]:
    """Return the fields that answer an assignment.

    Args:
        pk: The assignment that the page shows.
        manner: `careful` gives what is expected where an item says so, and else judges by the captions' made-up
            qualities; `careless` anything; `same` always the first choice.
        rng: The rater's.
        perception: How the rater sees qualities.
    """
    assignment = Assignment.objects.select_related("version", "task__study").get(pk=pk)
    design = StudyDesign.from_json(assignment.version.design)
    study = assignment.task.study
    form = KINDS[study.kind](load_shown_items(assignment, seed=study.seed), design=design)
    if manner == "same":
        return _keep_valid(form, lambda _: _choose_first(form))
    if manner == "careless":
        return _keep_valid(form, lambda _: _choose_any(form, rng))
    expected = dict(Item.objects.filter(task=assignment.task_id, expected__isnull=False).values_list("pk", "expected"))
    if not expected:
        judged = _judge(form, perception)
        return _keep_valid(form, lambda number: _choose_any(form, rng) if number else judged)
    tried = (_keep_valid(form, lambda _: _choose_any(form, rng)) for _ in range(_TRIES))
    return next((fields for fields in tried if _is_expected(form, fields, expected)), _choose_first(form))


def _judge(form: TaskForm, perception: Perception) -> dict[str, str]:
    if isinstance(form, PairwiseForm):
        return _prefer(form, perception)
    return _rate(form, perception) if isinstance(form, ItemForm) else _compare(form, perception)


def _rate(form: ItemForm, perception: Perception) -> dict[str, str]:
    """Give each item the point of its scale at which it is seen; of a caption set all captions count alike."""
    fields = zip(form.items, form.fields.items(), strict=True)
    return {name: _rate_item(form, shown, field, perception) for shown, (name, field) in fields}


def _rate_item(form: ItemForm, shown: ShownItem, field: forms.Field, perception: Perception) -> str:
    values = {choice: form.read_choice(shown, field.clean(choice))[0] for choice in _list_choices(field)}
    points = {value: choice for choice, value in values.items() if value is not None}
    if not points:
        return next(iter(values))
    return points[
        perception.rater.rate(mean(perception.find_qualities(shown)), scale=sorted(points), rng=perception.rng)
    ]


def _prefer(form: PairwiseForm, perception: Perception) -> dict[str, str]:
    chosen = {}
    for shown, name in zip(form.items, form.fields, strict=True):
        first, second = map(perception.perceive, perception.find_qualities(shown))
        is_even = form.design.allows_no_preference and abs(first - second) < _NO_DIFFERENCE
        chosen[name] = NEITHER if is_even else FIRST if first >= second else SECOND
    return chosen


def _compare(form: TaskForm, perception: Perception) -> dict[str, str]:
    """Choose, where one answer is about all items, the one that says most of the items that are seen as better."""
    choices = [_list_choices(field) for field in form.fields.values()]
    answers = [dict(zip(form.fields, chosen, strict=True)) for chosen in islice(product(*choices), _TRIES)]
    if len(answers) == 1:
        return answers[0]
    seen = {shown.pk: perception.perceive(*perception.find_qualities(shown)) for shown in form.items}
    level = mean(seen.values())

    def agree(fields: dict[str, str]) -> float:
        bound = type(form)(form.items, design=form.design, data=fields)
        if not bound.is_valid():
            return -inf
        return sum((answer.value or 0.0) * (seen[answer.item] - level) for answer in bound.read_answers())

    return max(answers, key=agree)


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
        low, high, step = float(field.min_value or 0), float(field.max_value or 100), float(field.step_size or 1)
        n_steps = int((high - low) / step + 1e-9)
        return [f"{low + number * step:g}" for number in range(0, n_steps + 1, max(1, n_steps // _MOST_POINTS))]
    return [CAPTION]


def _is_expected(form: TaskForm, fields: Mapping[str, str], expected: Mapping[int, Any]) -> bool:
    bound = type(form)(form.items, design=form.design, data=fields)
    return bound.is_valid() and all(
        is_right(answer.value, expected[answer.item]) for answer in bound.read_answers() if answer.item in expected
    )
