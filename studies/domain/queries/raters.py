"""What each rater of a study has done, by pseudonym."""

from django.db.models import Count, Max, Q, QuerySet

from studies.enums import TaskRole
from studies.models import Rater, Study, Task


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
