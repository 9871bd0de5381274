"""Closes an account: everything its owner created that grants access is revoked permanently."""

from datetime import datetime
from typing import Any

from allauth.usersessions.models import UserSession
from django.db import transaction

from studies.access.audit import Actor
from studies.access.members import end_access
from studies.access.offers import end_offers
from studies.models import ApiToken, ReportLink, Study


@transaction.atomic
def close_access(user: Any, *, actor: Actor, now: datetime) -> None:
    """Log a person out everywhere, and revoke their tokens, links and offers in all studies.

    They remain owner of their studies and member of others, until whoever closes the account permanently removes them.
    Repeated calls do nothing.
    """
    for session in UserSession.objects.filter(user=user):
        session.end()
    tokens = ApiToken.objects.filter(made_by=user, revoked_at=None).values_list("study", flat=True)
    links = ReportLink.objects.filter(made_by=user, revoked_at=None).values_list("report__study", flat=True)
    for study in Study.objects.filter(pk__in={*tokens, *links}).order_by("pk"):
        end_access(study, user, actor=actor, now=now)
    end_offers(user, actor=actor, now=now)
