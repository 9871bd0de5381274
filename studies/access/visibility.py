"""Which studies a person may know of."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from studies.models import Study, StudyMember


def visible_studies(user: Any) -> QuerySet[Study]:
    """Return the studies that `studies.view_study` allows this person, in one query.

    Pages fetch from here, so that a study that is not theirs does not exist for a stranger.
    """
    if not user.is_active:
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    return Study.objects.filter(Q(owner=user) | Q(pk__in=user.shared_studies.values("pk")))


def is_of_somebody_inside(*, person: str, study: str) -> Q:
    """Return the condition that a row's person may look at the row's study at this moment, by the names of its fields.

    It says of rows what `visible_studies` says of studies: what somebody made ends with their part in the study.
    """
    members = StudyMember.objects.filter(study=OuterRef(study), user=OuterRef(person))
    belongs = Q(**{f"{person}__is_superuser": True}) | Q(**{f"{study}__owner": F(person)}) | Exists(members)
    return Q(**{f"{person}__is_active": True}) & belongs
