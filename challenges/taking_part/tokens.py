"""Tokens for programs that submit for a team, as `studies.access.tokens` makes them for studies."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from challenges.models import Team, TeamMember, TeamToken
from challenges.token_limit import check_number
from studies.access.token_secrets import find_valid, make_secret


def make_team_token(team: Team, *, name: str, by: Any, now: datetime, days: int | None = None) -> tuple[TeamToken, str]:
    """Make a token; return it with its secret, which is not stored.

    Args:
        team: The team that it submits for.
        name: Its purpose, in words.
        by: A member of the team.
        days: The period of validity; None for the default.

    Raises:
        DaysRefused: The number of days is not allowed.
        ChallengeRefused: The person has `MOST_TOKENS` valid tokens in the team.
    """
    secret, fields = make_secret(by=by, now=now, days=days)
    check_number(list_tokens(team, made_by=by), now=now)
    return TeamToken.objects.create(team=team, name=name, **fields), secret


def find_team_token(secret: str, *, now: datetime) -> TeamToken | None:
    """Return a valid token with its team and creator, and store the time of use; None if it is not valid.

    It is not valid if it is unknown, revoked or expired, or its creator's account is closed or not in the team.
    """
    is_inside = Exists(TeamMember.objects.filter(team=OuterRef("team"), user=OuterRef("made_by")))
    tokens = TeamToken.objects.filter(is_inside).select_related("team__challenge", "made_by")
    return find_valid(tokens, secret, now=now)


def revoke_team_token(token: TeamToken, *, now: datetime) -> None:
    """Revoke a token; a second time changes nothing."""
    TeamToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)


def list_tokens(team: Team, *, made_by: Any) -> QuerySet[TeamToken]:
    """Return the tokens of one person in a team, newest first."""
    return TeamToken.objects.filter(team=team, made_by=made_by).order_by("-pk")
