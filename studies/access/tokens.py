"""Tokens by which programs act in one study for the person who made them. Only digests are kept."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from studies.access.auditing import Actor, record_change
from studies.access.terms import read_token_term
from studies.access.visibility import is_of_somebody_inside
from studies.enums import AuditAction, MemberRole
from studies.models import ApiToken, Study

PREFIX: Final = "acc_"
"""Begins every token, so that scanners of repositories can recognise one that leaked."""

_HINT: Final = 4
_IS_OF_MEMBER: Final = is_of_somebody_inside(person="made_by", study="study")
_USE_IS_NOTED_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A new token; `secret` is shown once and kept nowhere."""

    token: ApiToken
    secret: str


@transaction.atomic
def make_token(
    study: Study, *, name: str, role: MemberRole, actor: Actor, now: datetime, days: int | None = None
) -> MadeToken:
    """Make a token for a program of the person who acts.

    Args:
        study: The one study that it is for.
        name: What it is for, in words.
        role: The most that it allows; it never allows more than its maker may do at the moment of use.
        actor: Its maker, who must be a person.
        now: When.
        days: For how long it is good; None for as long as is usual.

    Raises:
        DaysRefused: So many days may not be had.
        ValueError: Nobody is named as its maker.
    """
    if actor.user is None:
        raise ValueError("a token acts for a person, got nobody")
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
    """Return the token with its study and maker, and note that it was used; None if it is not good for anything.

    It is good for nothing if it is unknown, revoked or expired, or its maker was dismissed or left the study.
    """
    found = (
        ApiToken.objects.filter(_IS_OF_MEMBER, digest=_digest(secret), revoked_at=None, expires_at__gt=now)
        .select_related("study__dataset", "study__owner", "made_by")
        .first()
    )
    # To the minute: a program that asks a hundred times a second must not write as often.
    if found and (found.last_used_at is None or now - found.last_used_at >= _USE_IS_NOTED_EVERY):
        found.last_used_at = now
        found.save(update_fields=["last_used_at"])
    return found


@transaction.atomic
def revoke_token(token: ApiToken, *, actor: Actor, now: datetime) -> bool:
    """Make a token good for nothing; return whether it was not before."""
    revoked = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)
    if revoked:
        token.revoked_at = now
        details = {"token": token.pk, "name": token.name, "hint": token.hint}
        record_change(token.study, actor=actor, action=AuditAction.TOKEN_REVOKED, now=now, details=details)
    return bool(revoked)


def list_tokens(study: Study, *, made_by: object | None = None) -> QuerySet[ApiToken]:
    """Return the tokens of a study, or those that one person made there, newest first."""
    tokens = ApiToken.objects.filter(study=study).select_related("made_by").order_by("-pk")
    return tokens if made_by is None else tokens.filter(made_by=made_by)


def _digest(secret: str) -> str:
    # Unsalted and quick on purpose: the secret is 256 random bits, which nobody can try out.
    return hashlib.sha256(secret.encode()).hexdigest()
