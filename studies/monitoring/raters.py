"""What each rater of a study has done, by pseudonym."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Judgment, Rater, Study, Task
from studies.shared.counted import IS_SURPLUS


@dataclass(frozen=True, slots=True)
class RaterTotal:
    """How many judgments of main tasks a rater has given, how many of them surplus, and when the last one (or None)."""

    rater: int
    n_judgments: int
    last_judgment: datetime | None
    n_surplus: int = 0


def list_raters(study: Study) -> QuerySet[Rater]:
    """Return the raters, busiest first, with `n_judgments` and `last_judgment` (None at first) of main tasks."""
    # Where all tasks are main ones, nobody need ask of each judgment which role it is of: that takes most of the time.
    has_others = Task.objects.filter(study=study).exclude(role=TaskRole.MAIN).exists()
    main = Q(judgments__item__task__role=TaskRole.MAIN) if has_others else None
    return (
        Rater.objects.filter(study=study)
        .annotate(n_judgments=Count("judgments", filter=main), last_judgment=Max("judgments__created_at", filter=main))
        .order_by("-n_judgments", "pk")
    )


def total_raters(study: Study) -> tuple[RaterTotal, ...]:
    """Return the raters in the order of `list_raters`, in three queries that read each judgment once.

    For a page of them and for the sums over all: the database would group all judgments anew for each.
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
    """Return the pseudonym of each of a page of raters, in one query; of those who are still there."""
    names = Rater.objects.filter(pk__in=[total.rater for total in totals]).values_list("pk", "pseudonym")
    known = dict(names)
    return tuple((known[total.rater], total) for total in totals if total.rater in known)
