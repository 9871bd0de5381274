"""The challenges that a person may see."""

from typing import Any

from django.db.models import Q, QuerySet

from challenges.enums import ChallengeState
from challenges.models import Challenge


def visible_challenges(user: Any) -> QuerySet[Challenge]:
    """Return the challenges for which this person has the permission `challenges.view_challenge`, in one query.

    Pages fetch challenges from here, so that a draft of other people seems not to exist.
    """
    announced = ~Q(state=ChallengeState.DRAFT)
    if not user.is_active:
        # Also somebody who is not logged in.
        return Challenge.objects.filter(announced)
    if user.is_superuser:
        return Challenge.objects.all()
    return Challenge.objects.filter(announced | hosted_by(user))


def hosted_by(user: Any) -> Q:
    """Return the condition that an account hosts a challenge."""
    return Q(owner=user) | Q(pk__in=user.hosted_challenges.values("pk"))
