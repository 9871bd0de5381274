"""The numbers of judgments of each rater of a study."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Judgment, Rater, Study, Task
from studies.shared.counted import IS_SURPLUS


@dataclass(frozen=True, slots=True)
class RaterTotal:
    """The number of a rater's judgments of main tasks, how many are surplus, and the time of the last one (or None)."""

    rater: int
    n_judgments: int
    last_judgment: datetime | None
    n_surplus: int = 0


def list_raters(study: Study) -> QuerySet[Rater]:
    """Return the raters, busiest first, with `n_judgments` and `last_judgment` (None without any) of main tasks."""
    # If all tasks are main ones, skip the filter by role, which takes most of the time.
    has_others = Task.objects.filter(study=study).exclude(role=TaskRole.MAIN).exists()
    main = Q(judgments__item__task__role=TaskRole.MAIN) if has_others else None
    return (
        Rater.objects.filter(study=study)
        .annotate(n_judgments=Count("judgments", filter=main), last_judgment=Max("judgments__created_at", filter=main))
        .order_by("-n_judgments", "pk")
    )


def total_raters(study: Study) -> tuple[RaterTotal, ...]:
    """Return the raters in the order of `list_raters`, in three queries that read each judgment once.

    Use it for pages and sums together, for which the database would group all judgments several times.
    """
    given = Judgment.objects.filter(rater__study=study)
    if Task.objects.filter(study=study).exclude(role=TaskRole.MAIN).exists():
        given = given.filter(item__task__role=TaskRole.MAIN)
    counted = (
        given.order_by()
        .values_list("rater")
        .annotate(n=Count("pk"), last=Max("created_at"), surplus=Count("pk", filter=IS_SURPLUS))
    )
    known = {rater: (n, last, surplus) for rater, n, last, surplus in counted}
    raters = Rater.objects.filter(study=study).order_by("pk").values_list("pk", flat=True)
    totals = [RaterTotal(rater, *known.get(rater, (0, None))) for rater in raters]
    return tuple(sorted(totals, key=lambda total: (-total.n_judgments, total.rater)))


def name_raters(totals: Sequence[RaterTotal]) -> tuple[tuple[str, RaterTotal], ...]:
    """Return the pseudonyms of a page of raters, in one query, without raters deleted since."""
    names = Rater.objects.filter(pk__in=[total.rater for total in totals]).values_list("pk", "pseudonym")
    known = dict(names)
    return tuple((known[total.rater], total) for total in totals if total.rater in known)
