"""Tests that orders are balanced over raters and tasks."""

from collections import Counter
from itertools import pairwise

import pytest

from studies.collection.ordering import arrange_items, make_balanced_row
from studies.enums import TaskKind
from studies.models import Item
from tests.factories.open_studies import make_designed_study


@pytest.mark.parametrize(("size", "n_rows"), [(1, 2), (2, 2), (3, 6), (4, 4), (6, 6), (7, 14)])
def test_rows_are_balanced(size: int, n_rows: int) -> None:
    rows = [make_balanced_row(size, number=number) for number in range(n_rows)]

    positions = Counter((column, element) for row in rows for column, element in enumerate(row))
    successions = Counter(pair for row in rows for pair in pairwise(row))

    assert {tuple(sorted(row)) for row in rows} == {tuple(range(size))}
    assert positions == Counter({(c, e): n_rows // size for c in range(size) for e in range(size)})
    assert successions == Counter({(a, b): n_rows // size for a in range(size) for b in range(size) if a != b})


def test_a_row_of_four() -> None:
    # Written out by hand from the zigzag 0, 1, 3, 2 of Williams' construction.
    assert [make_balanced_row(4, number=number) for number in range(4)] == [
        (0, 1, 3, 2),
        (1, 2, 0, 3),
        (2, 3, 1, 0),
        (3, 0, 2, 1),
    ]


@pytest.mark.django_db
def test_sides_of_a_pair_are_balanced_over_slots_and_tasks() -> None:
    study = make_designed_study(kind=TaskKind.PAIRWISE, n_tasks=1)
    item = Item.objects.get(task__study=study)
    pair = [item.candidate_id, item.other_candidate_id]

    sides = [
        [
            arrange_items([item], seed="seed", task_position=task, slot_number=slot) == [_show(item, pair)]
            for slot in (1, 2)
        ]
        for task in range(400)
    ]

    assert all(sorted(slots) == [False, True] for slots in sides)
    assert sum(first for first, _ in sides) == 200
    # Which task of two neighbours starts swapped is random: no more alike than coins are (binomial, 4 sd).
    assert abs(sum(first for first, _ in sides[::2]) - 100) <= 28


@pytest.mark.django_db
def test_sets_are_all_shown_with_all_their_captions() -> None:
    study = make_designed_study(kind=TaskKind.SET_RATING, n_tasks=1)
    items = list(Item.objects.filter(task__study=study))

    orders = [arrange_items(items, seed="seed", task_position=0, slot_number=slot) for slot in range(1, 7)]

    captions = {item.pk: sorted(item.caption_set.candidates.values_list("pk", flat=True)) for item in items}
    assert all({entry["item"]: sorted(entry["captions"]) for entry in order} == captions for order in orders)
    assert Counter(order[0]["item"] for order in orders) == dict.fromkeys(captions, 2)
    assert orders[0] == arrange_items(items, seed="seed", task_position=0, slot_number=1)


def _show(item: Item, captions: list[int]) -> dict:
    return {"item": item.pk, "captions": captions}
