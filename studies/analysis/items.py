"""The items of a study's main tasks with their judgments."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Avg, Count, QuerySet

from studies.collaboration.comments import count_comments
from studies.enums import TaskRole
from studies.models import Candidate, Item, Judgment, Study


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item, its captions in the order of the design, and its judgments and comments so far.

    The mean is None without judgments. `repeats_image` is true if the item before it in the list has the same image.
    """

    item: Item
    captions: tuple[Candidate, ...]
    n_judgments: int
    mean_judgment: float | None
    n_comments: int = 0
    repeats_image: bool = False


def list_items(study: Study) -> QuerySet[Item]:
    """Return the items in the order of main tasks, with captions, image and system."""
    return _add_captions(_order_items(study))


def list_item_keys(study: Study) -> QuerySet[Item, int]:
    """Return the primary keys of the same items in the same order, of which any page can be read quickly."""
    return _order_items(study).values_list("pk", flat=True)


def load_items(keys: Sequence[int]) -> list[Item]:
    """Return the items with these keys in order, loaded as by `list_items`."""
    found = _add_captions(Item.objects.all()).in_bulk(keys)
    return [found[key] for key in keys]


def add_judgments(items: Sequence[Item]) -> tuple[JudgedItem, ...]:
    """Add the judgments of these items and the numbers of their comments, in two queries.

    It is meant for a page of items, since grouping in the query of `list_items` would group the whole study.
    """
    tallies = {
        row["item"]: row
        for row in Judgment.objects.filter(item__in=items)
        .order_by()
        .values("item")
        .annotate(n=Count("pk"), mean=Avg("value"))
    }
    comments = count_comments(items)
    return tuple(
        JudgedItem(
            item=item,
            captions=_list_captions(item),
            n_judgments=tallies.get(item.pk, {}).get("n", 0),
            mean_judgment=tallies.get(item.pk, {}).get("mean"),
            n_comments=comments.get(item.pk, 0),
            repeats_image=before is not None and before.image_id == item.image_id,
        )
        for before, item in zip((None, *items), items, strict=False)
    )


def count_values(item: Item) -> tuple[tuple[float, int], ...]:
    """Return each judged value of an item with the number of judgments, in ascending order."""
    judged = Judgment.objects.filter(item=item).order_by("value").values_list("value")
    return tuple(judged.annotate(n=Count("pk")))


def _order_items(study: Study) -> QuerySet[Item]:
    main = Item.objects.filter(task__study=study, task__role=TaskRole.MAIN)
    return main.order_by("task__position", "position")


def _add_captions(items: QuerySet[Item]) -> QuerySet[Item]:
    related = ("image", "anchor", "candidate__system", "other_candidate__system", "caption_set__system")
    return items.select_related(*related).prefetch_related("caption_set__candidates__system")


def _list_captions(item: Item) -> tuple[Candidate, ...]:
    if item.caption_set:
        return tuple(item.caption_set.candidates.all())
    return tuple(caption for caption in (item.candidate, item.other_candidate) if caption)
