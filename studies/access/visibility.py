"""The studies that a person may see."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from studies.models import Study, StudyMember


def visible_studies(user: Any) -> QuerySet[Study]:
    """Return the studies for which this person has the permission `studies.view_study`, in one query.

    Pages fetch studies from here, so that a study of other people seems not to exist.
    """
    if not user.is_active:
        return Study.objects.none()
    if user.is_superuser:
        return Study.objects.all()
    return Study.objects.filter(Q(owner=user) | Q(pk__in=user.shared_studies.values("pk")))


def is_of_somebody_inside(*, person: str, study: str) -> Q:
    """Return the condition that the person of a row may currently see the study of the row, by the field names.

    It corresponds to `visible_studies`: access by things that a person created ends with their membership.
    """
    members = StudyMember.objects.filter(study=OuterRef(study), user=OuterRef(person))
    belongs = Q(**{f"{person}__is_superuser": True}) | Q(**{f"{study}__owner": F(person)}) | Exists(members)
    return Q(**{f"{person}__is_active": True}) & belongs
