"""Tokens for programs that act in one study on behalf of the person who created them. Only digests are stored."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from studies.access.audit import Actor, record_change
from studies.access.terms import read_token_term
from studies.access.visibility import is_of_somebody_inside
from studies.enums import AuditAction, MemberRole
from studies.models import ApiToken, Study

PREFIX: Final = "acc_"
"""The prefix of every token, so that scanners of repositories can recognise a leaked one."""

_HINT: Final = 4
_IS_OF_MEMBER: Final = is_of_somebody_inside(person="made_by", study="study")
_USE_IS_NOTED_EVERY: Final = timedelta(minutes=1)


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
        now: When.
        days: The period of validity; None for the default.

    Raises:
        DaysRefused: The number of days is not allowed.
        ValueError: The actor is not a person.
    """
    if actor.user is None:
        raise ValueError("a token needs a user, got no user")
    end = read_token_term().find_end(days, now=now)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        study=study,
        name=name,
        role=MemberRole(role),
        digest=_digest(secret),
        hint=secret[-_HINT:],
        made_by=actor.user,
        made_at=now,
        expires_at=end,
    )
    details = {"token": token.pk, "name": name, "role": token.role, "hint": token.hint}
    record_change(study, actor=actor, action=AuditAction.TOKEN_MADE, now=now, details=details)
    return MadeToken(token, secret)


def find_token(secret: str, *, now: datetime) -> ApiToken | None:
    """Return a valid token with its study and creator, and store the time of use; None if it is not valid.

    It is not valid if it is unknown, revoked or expired, or its creator's account is closed or no longer in the study.
    """
    found = (
        ApiToken.objects.filter(_IS_OF_MEMBER, digest=_digest(secret), revoked_at=None, expires_at__gt=now)
        .select_related("study__dataset", "study__owner", "made_by")
        .first()
    )
    # Stored at most once per minute, so that a busy program does not cause many writes.
    if found and (found.last_used_at is None or now - found.last_used_at >= _USE_IS_NOTED_EVERY):
        found.last_used_at = now
        found.save(update_fields=["last_used_at"])
    return found


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


def _digest(secret: str) -> str:
    # A fast hash without salt is enough: the secret is 256 random bits, so guessing is infeasible.
    return hashlib.sha256(secret.encode()).hexdigest()
