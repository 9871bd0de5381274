"""Which judgments count: the one place that decides what analyses, exports and collected captions leave out."""

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Exclusion, Judgment, Study

IS_OF_EXCLUDED: Final = Q(Exists(Exclusion.objects.filter(rater=OuterRef("rater"), lifted_at=None)))
"""Of a judgment: its rater is left out, by a decision in force."""
IS_SURPLUS: Final = Q(surplus_since__isnull=False)
"""Of a judgment: it came back after others had filled its task, so that the task would have more than planned."""
IS_LEFT_OUT: Final = IS_OF_EXCLUDED | IS_SURPLUS


def select_given(study: Study) -> QuerySet[Judgment]:
    """Return all judgments of main tasks, in no order."""
    return Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN).order_by()


def select_counted(study: Study, *, with_excluded: bool = False) -> QuerySet[Judgment]:
    """Return the judgments of main tasks that count, in no order.

    Surplus ones never do; those of excluded raters only if they are asked for.
    """
    return select_given(study).exclude(IS_SURPLUS if with_excluded else IS_LEFT_OUT)
