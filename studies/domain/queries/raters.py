"""What each rater of a study has done, by pseudonym."""

from django.db.models import Count, Max, QuerySet

from studies.models import Rater, Study


def list_raters(study: Study) -> QuerySet[Rater]:
    """Return the raters, busiest first, with `n_judgments` and `last_judgment` (None before the first)."""
    return (
        Rater.objects.filter(study=study)
        .annotate(n_judgments=Count("judgments"), last_judgment=Max("judgments__created_at"))
        .order_by("-n_judgments", "pk")
    )
