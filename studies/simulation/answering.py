"""What a scripted rater puts into the form of a task: careful, careless, or always the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import inf
from random import Random
from statistics import mean
from typing import Any, Final

from studies.collection.assigning.grading import is_right
from studies.collection.shown_tasks import ShownItem, load_shown_items
from studies.enums import TaskKind
from studies.models import Assignment, Item
from studies.simulation.browsing import Form
from studies.simulation.perceiving import Perception

CAPTION: Final = "a person in a red coat walks slowly along a quiet street"
_TRIES: Final = 400
_MOST_POINTS: Final = 100
"""Of a slider, beyond which none is more likely to be meant than its neighbour."""
_NO_DIFFERENCE: Final = 0.05
"""What two captions must differ by to be told apart, where a rater need not prefer one."""
_BEST, _WORST = "best", "worst"
_FIRST, _SECOND, _NEITHER = "first", "second", "none"
_WORDS: Final = {_FIRST: 1.0, _SECOND: -1.0, _NEITHER: 0.0, "person": 1.0, "machine": 0.0}
"""What choices mean that are no numbers."""

Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class _Task:
    """A task as a page asks for it; `choices` are of each field, in the page's order."""

    kind: str
    items: Sequence[ShownItem]
    choices: Mapping[str, Sequence[str]]

    def is_valid(self, fields: Fields) -> bool:
        """Whether the page takes it: all other choices are ones that it offers."""
        return self.kind != TaskKind.BEST_WORST or fields[_BEST] != fields[_WORST]

    def read_values(self, fields: Fields) -> dict[int, float | None]:
        """Return the judgment's value of each item, by primary key; None for a written caption."""
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
        """Give each field another choice, for kinds in which two cannot be the same."""
        return {name: choices[number % len(choices)] for number, (name, choices) in enumerate(self.choices.items())}

    def choose_any(self, rng: Random) -> Fields:
        """Return the first draw that the page takes; a person would be told, and choose again."""
        drawn = ({name: rng.choice(choices) for name, choices in self.choices.items()} for _ in range(_TRIES))
        return next(filter(self.is_valid, drawn), None) or self.choose_distinct()


def fill_form(pk: int, form: Form, *, manner: str, rng: Random, perception: Perception) -> Fields:
    """Return the fields that answer an assignment.

    Args:
        pk: The assignment that the page shows.
        form: The page's form.
        manner: `careful` gives what is expected where an item says so, and else judges by the captions' made-up
            qualities; `careless` anything; `same` always the first choice.
        rng: The rater's.
        perception: How the rater sees qualities.
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
    """Return the point of the scale at which an item is seen; of a caption set all captions count alike."""
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
    """Choose, where one answer is about all items, the one that says most of the items that are seen as better."""
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
