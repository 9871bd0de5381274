"""What a rater sees of a task: texts and pictures in the rater's order, and nothing about who wrote them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BigIntegerField, QuerySet, prefetch_related_objects

from studies.collection.blinding import mask_number, name_item, unmask_number
from studies.models import Assignment, Image, Item, Judgment, Rater, Task
from studies.shared.prepared_queries import Prepared, QueryParameter

_LOADED: Final = "items_with_what_they_show"


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item as one rater sees it.

    Attributes:
        pk: The item's primary key, which no page shows.
        name: What the item is called on the page: another name in each assignment.
        image: Primary key of the image; None if there is no file to show.
        image_name: What the image is called in its address: another name for each rater.
        anchor: The reference to judge by; empty if the image is what counts.
        captions: In the order shown; none where one is to be written.
        is_swapped: Whether a pair is shown with `other_candidate` first.
    """

    pk: int
    name: str
    image: int | None
    image_name: str
    anchor: str
    captions: tuple[str, ...]
    is_swapped: bool


def load_items(task: Task) -> list[Item]:
    """Return the items of a task in the order of the design, with all that is shown of them.

    In one query, two for caption sets; asked again for the same object, in none.
    """
    loaded: list[Item] | None = vars(task).get(_LOADED)
    if loaded is None:
        loaded = _ITEMS.run(task=task.pk)
        if any(item.caption_set_id for item in loaded):
            prefetch_related_objects(loaded, "caption_set__candidates")
        setattr(task, _LOADED, loaded)
    return loaded


def load_shown_items(assignment: Assignment, *, seed: str) -> tuple[ShownItem, ...]:
    """Return the items of the assignment's task in the order kept in `shown`.

    `seed` is the study's. An assignment that is not saved, of a preview or a batch, has names of its task.
    """
    items = {item.pk: item for item in load_items(assignment.task)}
    scope = f"assignment/{assignment.pk}" if assignment.pk else f"task/{assignment.task_id}"
    return tuple(
        _show(
            items[entry["item"]],
            entry["captions"],
            name=name_item(entry["item"], seed=seed, scope=scope),
            image_name=name_image(items[entry["item"]].image_id, seed=seed, rater=assignment.rater_id),
        )
        for entry in assignment.shown
    )


def load_answers(assignment: Assignment) -> dict[int, dict[str, Any]]:
    """Return the stored answer on each item of a submitted assignment, by the item's primary key."""
    return dict(Judgment.objects.filter(assignment=assignment).values_list("item", "answer"))


def list_shown_images(rater: Rater) -> QuerySet[Image]:
    """Return the images, with files, of all tasks that this rater has ever held."""
    shown = Item.objects.filter(task__assignments__rater=rater).values("image")
    return Image.objects.filter(pk__in=shown).exclude(file="")


def name_image(pk: int, *, seed: str, rater: int | None) -> str:
    """Return what an image is called in the addresses of a rater's pages; None is the rater of a preview."""
    return mask_number(pk, seed=seed, scope=f"image/{rater}")


def find_image(name: str, *, seed: str, rater: int | None) -> int | None:
    """Return the primary key of the image that is called so; None if none can be."""
    pk = unmask_number(name, seed=seed, scope=f"image/{rater}")
    return pk if pk is not None and pk <= BigIntegerField.MAX_BIGINT else None


def _show(item: Item, keys: Sequence[int], *, name: str, image_name: str) -> ShownItem:
    found = item.caption_set.candidates.all() if item.caption_set else (item.candidate, item.other_candidate)
    texts = {candidate.pk: candidate.text for candidate in found if candidate}
    return ShownItem(
        pk=item.pk,
        name=name,
        image=item.image_id if item.image.file else None,
        image_name=image_name,
        anchor=item.anchor.text if item.anchor else "",
        captions=tuple(texts[key] for key in keys),
        is_swapped=item.other_candidate_id in keys[:1],
    )


def _build_items() -> QuerySet[Item]:
    items = Item.objects.filter(task=QueryParameter("task", BigIntegerField())).order_by("position")
    return items.select_related("image", "anchor", "candidate", "other_candidate", "caption_set")


_ITEMS: Final = Prepared(_build_items)
