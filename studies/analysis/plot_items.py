"""What a reader sees of an item when pointing at it in a plot."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from studies.analysis.items import add_judgments, load_items
from studies.models import Candidate, Item, Study
from studies.shared.counted import select_counted


@dataclass(frozen=True, slots=True)
class PlotItem:
    """An item with its captions, and the values of its counted judgments, ascending; the mean is None without any."""

    item: Item
    captions: tuple[Candidate, ...]
    values: tuple[float, ...]
    mean: float | None


def load_plot_items(study: Study, keys: Sequence[int]) -> tuple[PlotItem, ...]:
    """Return those of the items that belong to the study, in the order of the keys."""
    own = set(Item.objects.filter(pk__in=keys, task__study=study).values_list("pk", flat=True))
    items = load_items([key for key in dict.fromkeys(keys) if key in own])
    values: dict[int, list[float]] = defaultdict(list)
    for item, value in select_counted(study).filter(item__in=items).values_list("item", "value").order_by("value"):
        if value is not None:
            values[item].append(value)
    return tuple(
        PlotItem(
            item=each.item,
            captions=each.captions,
            values=tuple(values[each.item.pk]),
            mean=sum(values[each.item.pk]) / len(values[each.item.pk]) if values[each.item.pk] else None,
        )
        for each in add_judgments(items)
    )
