"""What each rater of a study has done, by pseudonym."""

from django.db.models import Count, Max, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Rater, Study


def list_raters(study: Study) -> QuerySet[Rater]:
    """Return the raters, busiest first, with `n_judgments` and `last_judgment` (None at first) of main tasks."""
    main = Q(judgments__item__task__role=TaskRole.MAIN)
    return (
        Rater.objects.filter(study=study)
        .annotate(n_judgments=Count("judgments", filter=main), last_judgment=Max("judgments__created_at", filter=main))
        .order_by("-n_judgments", "pk")
    )
