"""The only definition of which judgments count in analyses, exports and collected captions."""

from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Exclusion, Judgment, Study

IS_OF_EXCLUDED: Final = Q(Exists(Exclusion.objects.filter(rater=OuterRef("rater"), lifted_at=None)))
"""A condition on judgments: the rater is currently excluded."""
IS_SURPLUS: Final = Q(surplus_since__isnull=False)
"""A condition on judgments: it was restored after others had filled its task, which would exceed the planned number."""
IS_LEFT_OUT: Final = IS_OF_EXCLUDED | IS_SURPLUS


def select_given(study: Study) -> QuerySet[Judgment]:
    """Return all judgments of main tasks, unordered."""
    return Judgment.objects.filter(item__task__study=study, item__task__role=TaskRole.MAIN).order_by()


def select_counted(study: Study, *, with_excluded: bool = False) -> QuerySet[Judgment]:
    """Return the judgments of main tasks that count, unordered.

    Surplus judgments never count; those of excluded raters only if requested.
    """
    return select_given(study).exclude(IS_SURPLUS if with_excluded else IS_LEFT_OUT)
