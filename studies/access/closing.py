"""An account is closed: what its owner made that lets somebody in ends, and does not come back with the account."""

from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.db import transaction

from studies.access.auditing import Actor
from studies.access.members import end_access
from studies.access.offers import end_offers
from studies.models import ApiToken, ReportLink, Study


@transaction.atomic
def close_access(user: Any, *, actor: Actor, now: datetime) -> None:
    """Log a person out everywhere, revoke their tokens and links and take their offers back, in every study.

    They stay the owner of their studies and a member of others': whoever closes the account for good removes them. A
    second time it finds nothing.
    """
    for session in UserSession.objects.filter(user=user):
        session.end()
    tokens = ApiToken.objects.filter(made_by=user, revoked_at=None).values_list("study", flat=True)
    links = ReportLink.objects.filter(made_by=user, revoked_at=None).values_list("report__study", flat=True)
    for study in Study.objects.filter(pk__in={*tokens, *links}).order_by("pk"):
        end_access(study, user, actor=actor, now=now)
    end_offers(user, actor=actor, now=now)
