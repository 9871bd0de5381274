"""The content of a task as shown to a rater: texts and images in the rater's order, without their authors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BigIntegerField, QuerySet, prefetch_related_objects

from studies.collection.blinding import mask_number, name_item, unmask_number
from studies.models import Assignment, Image, Item, Judgment, Rater, Task
from studies.shared.prepared_queries import Prepared, QueryParameter

_LOADED: Final = "items_with_what_they_show"
_MOST_KEPT: Final = 4096
_kept: Final[dict[tuple[str, int], list[Item]]] = {}
"""Seed of a study and task -> its items."""


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item as shown to one rater.

    Attributes:
        pk: The item's primary key, which is not shown on any page.
        name: The item's name on the page, different in each assignment.
        image: Primary key of the image; None if there is no file to show.
        image_name: The image's name in its address, different for each rater.
        anchor: The reference to compare with; empty if the image is judged.
        captions: In the order shown; none if one is to be written.
        is_swapped: Whether a pair is shown with `other_candidate` first.
    """

    pk: int
    name: str
    image: int | None
    image_name: str
    anchor: str
    captions: tuple[str, ...]
    is_swapped: bool


def load_items(task: Task, *, seed: str = "") -> list[Item]:
    """Return the items of a task in the order of the design, with everything shown of them.

    Uses one query, or two for caption sets; further calls with the same object use none. With the seed of a started
    study, each process keeps them: triggers prevent changes of items and captions. It is random, so that no other
    study has it, even if the database was replaced. Images without a file are read again, as it may be added.
    """
    loaded: list[Item] | None = vars(task).get(_LOADED) or (_kept.get((seed, task.pk)) if seed else None)
    if loaded is None:
        loaded = _ITEMS.run(task=task.pk)
        if any(item.caption_set_id for item in loaded):
            prefetch_related_objects(loaded, "caption_set__candidates")
        if seed and all(item.image.file for item in loaded):
            _keep((seed, task.pk), loaded)
    setattr(task, _LOADED, loaded)
    return loaded


def load_shown_items(assignment: Assignment, *, seed: str) -> tuple[ShownItem, ...]:
    """Return the items of the assignment's task in the order kept in `shown`.

    `seed` is the study's. In an unsaved assignment, of a preview or a batch, names depend on the task.
    """
    # An assignment that is stored belongs to a started study.
    items = {item.pk: item for item in load_items(assignment.task, seed=seed if assignment.pk else "")}
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
    """Return the stored answer to each item of a submitted assignment, by the item's primary key."""
    return dict(Judgment.objects.filter(assignment=assignment).values_list("item", "answer"))


def list_shown_images(rater: Rater) -> QuerySet[Image]:
    """Return the images, with files, of all tasks that this rater has ever held."""
    shown = Item.objects.filter(task__assignments__rater=rater).values("image")
    return Image.objects.filter(pk__in=shown).exclude(file="")


def name_image(pk: int, *, seed: str, rater: int | None) -> str:
    """Return the name of an image in the addresses of a rater's pages; `rater` is None in a preview."""
    return mask_number(pk, seed=seed, scope=f"image/{rater}")


def find_image(name: str, *, seed: str, rater: int | None) -> int | None:
    """Return the primary key of the image with this name; None if the name is invalid."""
    pk = unmask_number(name, seed=seed, scope=f"image/{rater}")
    return pk if pk is not None and pk <= BigIntegerField.MAX_BIGINT else None


def _keep(key: tuple[str, int], items: list[Item]) -> None:
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[key] = items


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
