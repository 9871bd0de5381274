"""What a rater sees of a task: texts and pictures in the rater's order, and nothing about who wrote them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from studies.models import Assignment, Candidate, Image, Item, Judgment, Rater


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item as one rater sees it.

    Attributes:
        pk: The item's primary key.
        image: Primary key of the image; None if there is no file to show.
        anchor: The reference to judge by; empty if the image is what counts.
        captions: In the order shown; none where one is to be written.
        is_swapped: Whether a pair is shown with `other_candidate` first.
    """

    pk: int
    image: int | None
    anchor: str
    captions: tuple[str, ...]
    is_swapped: bool


def load_shown_items(assignment: Assignment) -> tuple[ShownItem, ...]:
    """Return the items of the assignment's task in the order kept in `shown`, in two queries."""
    items = Item.objects.filter(task=assignment.task_id).select_related("image", "anchor").in_bulk()
    keys = [key for entry in assignment.shown for key in entry["captions"]]
    texts = dict(Candidate.objects.filter(pk__in=keys).values_list("pk", "text"))
    return tuple(
        _show(items[entry["item"]], tuple(texts[key] for key in entry["captions"]), keys=entry["captions"])
        for entry in assignment.shown
    )


def load_answers(assignment: Assignment) -> dict[int, dict[str, Any]]:
    """Return the stored answer on each item of a submitted assignment, by the item's primary key."""
    return dict(Judgment.objects.filter(assignment=assignment).values_list("item", "answer"))


def list_shown_images(rater: Rater) -> QuerySet[Image]:
    """Return the images, with files, of all tasks that this rater has ever held."""
    shown = Item.objects.filter(task__assignments__rater=rater).values("image")
    return Image.objects.filter(pk__in=shown).exclude(file="")


def _show(item: Item, captions: tuple[str, ...], *, keys: Sequence[int]) -> ShownItem:
    return ShownItem(
        pk=item.pk,
        image=item.image_id if item.image.file else None,
        anchor=item.anchor.text if item.anchor else "",
        captions=captions,
        is_swapped=item.other_candidate_id in keys[:1],
    )
