"""Tokens for programs that make and host challenges for a person."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from challenges.models import HostToken
from challenges.token_limit import check_number
from studies.access.audit import Actor, record_event
from studies.access.token_secrets import find_valid, make_secret
from studies.enums import AuditAction


@transaction.atomic
def make_host_token(*, name: str, actor: Actor, now: datetime, days: int | None = None) -> tuple[HostToken, str]:
    """Make a token of the actor, who must be a person; return it with its secret, which is not stored.

    Raises:
        DaysRefused: The number of days is not allowed.
        ChallengeRefused: The person has `MOST_TOKENS` valid tokens for hosting.
    """
    secret, fields = make_secret(by=actor.user, now=now, days=days)
    check_number(list_host_tokens(actor.user), now=now)
    token = HostToken.objects.create(name=name, **fields)
    record_event(actor=actor, action=AuditAction.TOKEN_MADE, now=now, details=_describe(token))
    return token, secret


def find_host_token(secret: str, *, now: datetime) -> HostToken | None:
    """Return a valid token with its creator, and store the time of use; None if it is not valid.

    It is not valid if it is unknown, revoked or expired, or its creator's account is closed.
    """
    return find_valid(HostToken.objects.select_related("made_by"), secret, now=now)


@transaction.atomic
def revoke_host_token(token: HostToken, *, actor: Actor, now: datetime) -> None:
    """Revoke a token; a second time changes nothing."""
    if HostToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now):
        record_event(actor=actor, action=AuditAction.TOKEN_REVOKED, now=now, details=_describe(token))


def list_host_tokens(made_by: Any) -> QuerySet[HostToken]:
    """Return the tokens of one person, newest first."""
    return HostToken.objects.filter(made_by=made_by).order_by("-pk")


def _describe(token: HostToken) -> dict[str, Any]:
    return {"token": token.pk, "name": token.name, "hint": token.hint, "hosts": True}
