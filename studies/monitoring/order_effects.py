"""Measures whether raters prefer what is shown first, from the orders stored with each assignment."""

from collections.abc import Iterator
from dataclasses import dataclass

from correlation.agreement.shares import Share, estimate_share
from studies.enums import TaskKind, TaskRole
from studies.models import Judgment, Study


@dataclass(frozen=True, slots=True)
class OrderEffect:
    """How often the first of two was preferred; without an order effect the share is one half.

    Attributes:
        kind: The kind of the study.
        what: `left`: for pairs, the caption shown first was chosen, without judgments of no preference. `first`: the
            item shown first on a page got a higher value than another one of the page; an equal value counts a half.
        share: With its interval, which accounts for dependent answers of a rater; NaN without answers.
    """

    kind: TaskKind
    what: str
    share: Share


def measure_order_effects(study: Study) -> tuple[OrderEffect, ...]:
    """Return the effects that are possible in this study: sides of pairs, and the first of several items on a page.

    It uses judgments of main tasks with known order, which are those from this site's pages.
    """
    kind = TaskKind(study.kind)
    pages = _load_pages(study)
    found = [("left", list(_list_sides(pages)))] if kind == TaskKind.PAIRWISE else []
    found.append(("first", [one for page in pages for one in _compare_first(page)]))
    return tuple(
        OrderEffect(
            kind, what, estimate_share([value for _, value in counted], cluster=[rater for rater, _ in counted])
        )
        for what, counted in found
        if counted or what == "left"
    )


@dataclass(frozen=True, slots=True)
class _Page:
    """One assignment: the value of each item in the order shown, and whether a pair was shown in reverse order."""

    rater: int
    values: tuple[tuple[float, bool], ...]


def _load_pages(study: Study) -> list[_Page]:
    fields = ("assignment", "rater", "assignment__shown", "item", "value", "item__other_candidate")
    judged = Judgment.objects.filter(
        rater__study=study, item__task__role=TaskRole.MAIN, value__isnull=False, assignment__isnull=False
    )
    pages: dict[int, tuple[int, list[dict], dict[int, tuple[float, int | None]]]] = {}
    for assignment, rater, shown, item, value, other in judged.order_by("pk").values_list(*fields).iterator():
        pages.setdefault(assignment, (rater, shown, {}))[2][item] = (value, other)
    return [
        _Page(
            rater,
            tuple(
                (values[entry["item"]][0], bool(entry["captions"]) and entry["captions"][0] == values[entry["item"]][1])
                for entry in shown
                if entry["item"] in values
            ),
        )
        for rater, shown, values in pages.values()
    ]


def _list_sides(pages: list[_Page]) -> Iterator[tuple[int, float]]:
    for page in pages:
        for value, is_swapped in page.values:
            if value:
                yield page.rater, float((value > 0) != is_swapped)


def _compare_first(page: _Page) -> Iterator[tuple[int, float]]:
    values = [value for value, _ in page.values]
    for other in values[1:]:
        yield page.rater, float(values[0] > other) if values[0] != other else 0.5
