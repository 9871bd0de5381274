"""The presentation order of items and captions, balanced over the raters of a task and the tasks of a study.

The order depends on the study, the task and the slot, so the balance holds however many raters drop out.
"""

from collections.abc import Sequence
from random import Random
from typing import TypedDict

from studies.models import Item


class Shown(TypedDict):
    """One entry of `Assignment.shown`: an item and its candidates, by primary key, in the order shown."""

    item: int
    captions: list[int]


def arrange_items(items: Sequence[Item], *, seed: str, task_position: int, slot_number: int) -> list[Shown]:
    """Return the items and their captions in the order for the rater who holds this slot.

    Items (caption sets) follow one row of a balanced Latin square; the two captions of a pair change sides between
    successive slots and tasks; the captions of a set are in random order.

    Args:
        items: All items of one task, in the order of the design.
        seed: A secret, the same for all tasks of a study.
    """
    order = Random(f"{seed}/{task_position}").sample(range(len(items)), len(items))  # noqa: S311 - not a secret
    row = make_balanced_row(len(items), number=slot_number)
    shuffle = Random(f"{seed}/{task_position}/{slot_number}")  # noqa: S311 - not a secret
    return [
        _arrange_captions(
            items[order[column]],
            is_swapped=_is_swapped(seed, task_position, slot_number + items[order[column]].position),
            rng=shuffle,
        )
        for column in row
    ]


def make_balanced_row(size: int, *, number: int) -> tuple[int, ...]:
    """Return one row of a Latin square of `size`, balanced for first-order carry-over effects.

    Over `size` successive rows (twice as many if `size` is odd) each element is once in each position and follows
    each other element equally often. Williams (1949), Australian Journal of Scientific Research A 2, 149-168.
    """
    zigzag = [(position + 1) // 2 if position % 2 else (size - position // 2) % size for position in range(size)]
    row = [(element + number) % size for element in zigzag]
    return tuple(reversed(row) if size % 2 and number // size % 2 else row)


def _is_swapped(seed: str, task_position: int, turn: int) -> bool:
    # One of every two adjacent tasks, chosen at random, starts with sides swapped: half of the tasks in total, but not
    # aligned with any pattern in their order.
    coin = Random(f"{seed}/pair/{task_position // 2}").getrandbits(1)  # noqa: S311 - not a secret
    return bool((coin + task_position + turn) % 2)


def _arrange_captions(item: Item, *, is_swapped: bool, rng: Random) -> Shown:
    if item.caption_set is not None:
        captions = sorted(candidate.pk for candidate in item.caption_set.candidates.all())
        rng.shuffle(captions)
        return {"item": item.pk, "captions": captions}
    pair = [pk for pk in (item.candidate_id, item.other_candidate_id) if pk is not None]
    return {"item": item.pk, "captions": pair[::-1] if is_swapped else pair}
