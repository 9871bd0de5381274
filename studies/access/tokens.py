"""Tokens for programs that act in one study on behalf of the person who created them. Only digests are stored."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from studies.access.audit import Actor, record_change
from studies.access.token_secrets import find_valid, make_secret
from studies.access.visibility import is_of_somebody_inside
from studies.enums import AuditAction, MemberRole
from studies.models import ApiToken, Study

_IS_OF_MEMBER: Final = is_of_somebody_inside(person="made_by", study="study")


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A new token; `secret` is shown once and not stored."""

    token: ApiToken
    secret: str


@transaction.atomic
def make_token(
    study: Study, *, name: str, role: MemberRole, actor: Actor, now: datetime, days: int | None = None
) -> MadeToken:
    """Create a token for a program of the actor.

    Args:
        study: The study that it gives access to.
        name: Its purpose, in words.
        role: The most that it allows; it never allows more than its creator may do at the time of use.
        actor: Its creator, who must be a person.
        days: The period of validity; None for the default.

    Raises:
        DaysRefused: The number of days is not allowed.
        ValueError: The actor is not a person.
    """
    if actor.user is None:
        raise ValueError("a token needs a user, got no user")
    secret, fields = make_secret(by=actor.user, now=now, days=days)
    token = ApiToken.objects.create(study=study, name=name, role=MemberRole(role), **fields)
    details = {"token": token.pk, "name": name, "role": token.role, "hint": token.hint}
    record_change(study, actor=actor, action=AuditAction.TOKEN_MADE, now=now, details=details)
    return MadeToken(token, secret)


def find_token(secret: str, *, now: datetime) -> ApiToken | None:
    """Return a valid token with its creator, and store the time of use; None if it is not valid.

    It is not valid if it is unknown, revoked or expired, or its creator's account is closed or no longer in the study.
    """
    return find_valid(ApiToken.objects.filter(_IS_OF_MEMBER).select_related("made_by"), secret, now=now)


@transaction.atomic
def revoke_token(token: ApiToken, *, actor: Actor, now: datetime) -> bool:
    """Revoke a token; return whether it was not revoked before."""
    revoked = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)
    if revoked:
        token.revoked_at = now
        details = {"token": token.pk, "name": token.name, "hint": token.hint}
        record_change(token.study, actor=actor, action=AuditAction.TOKEN_REVOKED, now=now, details=details)
    return bool(revoked)


def list_tokens(study: Study, *, made_by: object | None = None) -> QuerySet[ApiToken]:
    """Return the tokens of a study, or those created by one person, newest first."""
    tokens = ApiToken.objects.filter(study=study).select_related("made_by").order_by("-pk")
    return tokens if made_by is None else tokens.filter(made_by=made_by)
