"""Answers of simulated raters to the form of a task: careful, careless, or always the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import inf
from random import Random
from statistics import mean
from typing import Any, Final

from studies.collection.assignment.grading import is_right
from studies.collection.shown_tasks import ShownItem, load_shown_items
from studies.enums import TaskKind
from studies.models import Assignment, Item
from studies.simulation.browser import Form
from studies.simulation.perception import Perception

CAPTION: Final = "a person in a red coat walks slowly along a quiet street"
_TRIES: Final = 400
_MOST_POINTS: Final = 100
"""The maximum number of points of a slider to choose from."""
_NO_DIFFERENCE: Final = 0.05
"""The minimum difference in quality for a preference, if the form allows none."""
_BEST, _WORST = "best", "worst"
_FIRST, _SECOND, _NEITHER = "first", "second", "none"
_WORDS: Final = {_FIRST: 1.0, _SECOND: -1.0, _NEITHER: 0.0, "person": 1.0, "machine": 0.0}
"""Values of choices that are not numbers."""

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Task:
    """A task as shown on a page; `choices` has the choices of each field, in the order of the page."""

    kind: str
    items: Sequence[ShownItem]
    choices: Mapping[str, Sequence[str]]

    def is_valid(self, fields: Fields) -> bool:
        """Return whether the page accepts the fields, all of which are among its choices."""
        return self.kind != TaskKind.BEST_WORST or fields[_BEST] != fields[_WORST]

    def read_values(self, fields: Fields) -> dict[int, float | None]:
        """Return the value for each item, by primary key; None for a written caption."""
        if self.kind == TaskKind.BEST_WORST:
            return {
                shown.pk: float(fields[_BEST] == shown.name) - float(fields[_WORST] == shown.name)
                for shown in self.items
            }
        pairs = zip(self.items, fields.values(), strict=True)
        return {shown.pk: self.read_choice(shown, choice) for shown, choice in pairs}

    def read_choice(self, shown: ShownItem, choice: str) -> float | None:
        if self.kind == TaskKind.CAPTION:
            return None
        value = _WORDS[choice] if choice in _WORDS else float(choice)
        return -value if shown.is_swapped else value

    def choose_first(self) -> Fields:
        return {name: choices[0] for name, choices in self.choices.items()}

    def choose_distinct(self) -> Fields:
        """Return a different choice for each field, for kinds in which no two may be equal."""
        return {name: choices[number % len(choices)] for number, (name, choices) in enumerate(self.choices.items())}

    def choose_any(self, rng: Random) -> Fields:
        """Return the first random answer that the page accepts."""
        drawn = ({name: rng.choice(choices) for name, choices in self.choices.items()} for _ in range(_TRIES))
        return next(filter(self.is_valid, drawn), None) or self.choose_distinct()


def fill_form(pk: int, form: Form, *, manner: str, rng: Random, perception: Perception) -> Fields:
    """Return the fields that answer an assignment.

    Args:
        pk: The assignment on the page.
        form: The form of the page.
        manner: `careful` gives the expected answers of checks, and otherwise judges by the artificial qualities of
                captions; `careless` answers at random; `same` always takes the first choice.
        rng: The generator of the rater.
        perception: How the rater perceives qualities.
    """
    assignment = Assignment.objects.select_related("task__study").get(pk=pk)
    study = assignment.task.study
    choices = {name: _list_choices(controls) for name, controls in form.controls.items()}
    task = _Task(study.kind, load_shown_items(assignment, seed=study.seed), choices)
    if manner == "same":
        first = task.choose_first()
        return first if task.is_valid(first) else task.choose_distinct()
    if manner == "careless":
        return task.choose_any(rng)
    expected = dict(Item.objects.filter(task=assignment.task_id, expected__isnull=False).values_list("pk", "expected"))
    if not expected:
        return _judge(task, perception)
    tried = (task.choose_any(rng) for _ in range(_TRIES))
    return next((fields for fields in tried if _is_expected(task, fields, expected)), task.choose_first())


def _list_choices(controls: Sequence[Mapping[str, str]]) -> list[str]:
    given = controls[0]
    if given.get("type") == "radio":
        return [control["value"] for control in controls]
    if given.get("type") == "number":
        low, high, step = (float(given[name]) for name in ("min", "max", "step"))
        n_steps = int((high - low) / step + 1e-9)
        return [f"{low + number * step:g}" for number in range(0, n_steps + 1, max(1, n_steps // _MOST_POINTS))]
    return [CAPTION]


def _judge(task: _Task, perception: Perception) -> Fields:
    if task.kind == TaskKind.BEST_WORST:
        return _compare(task, perception)
    fields = zip(task.items, task.choices.items(), strict=True)
    if task.kind == TaskKind.PAIRWISE:
        return {name: _prefer(shown, choices, perception) for shown, (name, choices) in fields}
    return {name: _rate(task, shown, choices, perception) for shown, (name, choices) in fields}


def _rate(task: _Task, shown: ShownItem, choices: Sequence[str], perception: Perception) -> str:
    """Return the perceived point of the scale for an item; for a caption set, that of the mean quality."""
    points = {task.read_choice(shown, choice): choice for choice in choices}
    if None in points:
        return choices[0]
    quality = mean(perception.find_qualities(shown))
    return points[perception.rater.rate(quality, scale=sorted(points), rng=perception.rng)]


def _prefer(shown: ShownItem, choices: Sequence[str], perception: Perception) -> str:
    first, second = map(perception.perceive, perception.find_qualities(shown))
    if _NEITHER in choices and abs(first - second) < _NO_DIFFERENCE:
        return _NEITHER
    return _FIRST if first >= second else _SECOND


def _compare(task: _Task, perception: Perception) -> Fields:
    """Return the answer about all items that agrees best with their perceived qualities."""
    answers = (
        dict(zip(task.choices, chosen, strict=True)) for chosen in islice(product(*task.choices.values()), _TRIES)
    )
    seen = {shown.pk: perception.perceive(*perception.find_qualities(shown)) for shown in task.items}
    level = mean(seen.values())

    def agree(fields: Fields) -> float:
        if not task.is_valid(fields):
            return -inf
        return sum((value or 0.0) * (seen[item] - level) for item, value in task.read_values(fields).items())

    return max(answers, key=agree)


def _is_expected(task: _Task, fields: Fields, expected: Mapping[int, Any]) -> bool:
    values = task.read_values(fields)
    return all(is_right(values[item], right) for item, right in expected.items() if item in values)
