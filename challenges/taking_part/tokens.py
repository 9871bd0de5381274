"""Tokens for programs that submit for a team, as `studies.access.tokens` makes them for studies."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from challenges.errors import ChallengeRefused
from challenges.models import Team, TeamMember, TeamToken
from studies.access.terms import read_token_term
from studies.access.tokens import PREFIX

MOST_TOKENS: Final = 20
"""The most valid tokens of a person in a team."""

_HINT: Final = 4
_USE_IS_NOTED_EVERY: Final = timedelta(minutes=1)


def make_team_token(team: Team, *, name: str, by: Any, now: datetime, days: int | None = None) -> tuple[TeamToken, str]:
    """Make a token; return it with its secret, which is not stored.

    Args:
        team: The team that it submits for.
        name: Its purpose, in words.
        by: A member of the team.
        now: When.
        days: The period of validity; None for the default.

    Raises:
        DaysRefused: The number of days is not allowed.
        ChallengeRefused: The person has `MOST_TOKENS` valid tokens.
    """
    end = read_token_term().find_end(days, now=now)
    if list_tokens(team, made_by=by).filter(revoked_at=None, expires_at__gt=now).count() >= MOST_TOKENS:
        raise ChallengeRefused(f"you have {MOST_TOKENS} valid tokens: revoke one of them first")
    secret = PREFIX + secrets.token_urlsafe(32)
    token = TeamToken.objects.create(
        team=team, name=name, digest=_digest(secret), hint=secret[-_HINT:], made_by=by, made_at=now, expires_at=end
    )
    return token, secret


def find_team_token(secret: str, *, now: datetime) -> TeamToken | None:
    """Return a valid token with its team and creator, and store the time of use; None if it is not valid.

    It is not valid if it is unknown, revoked or expired, or its creator's account is closed or not in the team.
    """
    is_inside = Exists(TeamMember.objects.filter(team=OuterRef("team"), user=OuterRef("made_by")))
    valid = TeamToken.objects.filter(is_inside, made_by__is_active=True, revoked_at=None, expires_at__gt=now)
    found = valid.filter(digest=_digest(secret)).select_related("team__challenge", "made_by").first()
    # Stored at most once per minute, so that a busy program does not cause many writes.
    if found and (found.last_used_at is None or now - found.last_used_at >= _USE_IS_NOTED_EVERY):
        found.last_used_at = now
        found.save(update_fields=["last_used_at"])
    return found


def revoke_team_token(token: TeamToken, *, now: datetime) -> None:
    """Revoke a token; a second time changes nothing."""
    TeamToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)


def list_tokens(team: Team, *, made_by: Any) -> QuerySet[TeamToken]:
    """Return the tokens of one person in a team, newest first."""
    return TeamToken.objects.filter(team=team, made_by=made_by).order_by("-pk")


def _digest(secret: str) -> str:
    # A fast hash without salt is enough: the secret is 256 random bits, so guessing is infeasible.
    return hashlib.sha256(secret.encode()).hexdigest()
