"""Tests that sides are balanced, and that a preference for a side is detected."""

from itertools import count
from math import isnan

import pytest

from studies.collection.assignment import Answer, lease_task, submit_answers
from studies.enums import TaskKind
from studies.models import Assignment, Item
from studies.monitoring.order_effects import measure_order_effects
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_rater
from tests.studies.collection.assignment.large import make_large_study

pytestmark = pytest.mark.django_db


def _work(study, choose, *, n_raters, n_tasks=10_000):
    """Let raters work until nothing is left; `choose` says the value from the slot shown and the side."""
    others = dict(Item.objects.filter(task__study=study).values_list("pk", "other_candidate"))
    for number in range(n_raters):
        rater = make_rater(study, f"worker-{number}")
        for _ in range(n_tasks):
            assignment = lease_task(rater, now=NOW)
            if assignment is None:
                break
            answers = [
                Answer(
                    item=entry["item"],
                    value=choose(slot, (entry["captions"] or [None])[0] == others[entry["item"]]),
                )
                for slot, entry in enumerate(assignment.shown)
            ]
            submit_answers(assignment, answers=answers, now=NOW)


@pytest.mark.slow
def test_sides_are_balanced_over_four_thousand_judgments() -> None:
    study = make_large_study(n_tasks=2500, raters_per_task=2)
    _work(study, lambda _slot, _is_swapped: 1.0, n_raters=80, n_tasks=50)

    items = dict(Item.objects.filter(task__study=study).values_list("pk", "candidate"))
    shown = Assignment.objects.filter(state="submitted").values_list("shown", flat=True)
    first = [entry["captions"][0] == items[entry["item"]] for order in shown for entry in order]

    assert len(first) == 4000
    assert abs(sum(first) / 4000 - 0.5) <= 0.02
    (effect,) = measure_order_effects(study)
    assert effect.share.low < 0.5 < effect.share.high


def test_raters_who_always_choose_the_left_one_are_detected() -> None:
    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=12, raters_per_task=3, has_files=False)
    _work(study, lambda _slot, is_swapped: -1.0 if is_swapped else 1.0, n_raters=3)

    (effect,) = measure_order_effects(study)

    assert (effect.kind, effect.what, effect.share.value, effect.share.n) == (TaskKind.PAIRWISE, "left", 1.0, 36)
    assert effect.share.low > 0.8


def test_undecided_answers_say_nothing_of_sides() -> None:
    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=2, has_files=False)
    _work(study, lambda _slot, _is_swapped: 0.0, n_raters=1)

    (effect,) = measure_order_effects(study)

    assert (effect.share.n, isnan(effect.share.value)) == (0, True)


@pytest.mark.parametrize(
    ("choose", "share"),
    [
        (lambda slot, _: 1.0 if slot == 0 else 0.0, 1.0),
        (lambda _slot, _is_swapped: 0.5, 0.5),
        (lambda slot, _: float(slot), 0.0),
    ],
)
def test_first_of_several_sets(choose, share) -> None:
    study = make_open_study(kind=TaskKind.SET_RATING, n_tasks=2, raters_per_task=3, has_files=False)
    _work(study, choose, n_raters=3)

    (effect,) = measure_order_effects(study)

    assert (effect.what, effect.share.value, effect.share.n) == ("first", share, 12)


def test_balanced_choices_have_no_order_effect() -> None:
    turns = count()

    def choose(_slot, is_swapped):
        chooses_left = next(turns) % 2 == 0
        return 1.0 if chooses_left != is_swapped else -1.0

    study = make_open_study(kind=TaskKind.PAIRWISE, n_tasks=40, raters_per_task=3, has_files=False)
    _work(study, choose, n_raters=3)

    (effect,) = measure_order_effects(study)

    assert effect.share.value == 0.5
    assert effect.share.low < 0.5 < effect.share.high
