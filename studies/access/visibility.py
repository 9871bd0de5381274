"""Which studies a person may know of."""

from typing import Any

from django.db.models import Q, QuerySet

from studies.models import Study


def visible_studies(user: Any) -> QuerySet[Study]:
    """Return the studies that `studies.view_study` allows this person, in one query.

    Pages fetch from here, so that a study that is not theirs does not exist for a stranger.
    """
    if not user.is_active:
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    return Study.objects.filter(Q(owner=user) | Q(pk__in=user.shared_studies.values("pk")))
