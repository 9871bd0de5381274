"""Makes teams, and lets people join them by invitations."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import IntegrityError, transaction

from challenges.enums import ChallengeState
from challenges.errors import ChallengeRefused
from challenges.models import Challenge, Team, TeamInvitation, TeamMember
from challenges.taking_part.terms import has_accepted

INVITATION_LASTS: Final = timedelta(days=14)


def find_team(challenge: Challenge, *, user: Any) -> Team | None:
    """Return the team of a person in a challenge, if they are in one."""
    if not user.is_authenticated:
        return None
    return Team.objects.filter(challenge=challenge, members__user=user).select_related("challenge").first()


@transaction.atomic
def make_team(challenge: Challenge, *, user: Any, name: str, now: datetime, affiliation: str = "") -> Team:
    """Make a team of one person.

    Raises:
        ChallengeRefused: The challenge is not open, its terms are not accepted, the name is taken, or the person is in
            a team already, or there are as many teams as there may be.
    """
    _check_can_join(challenge, user=user)
    # Lock the challenge, so that teams that are made at the same time are counted one after the other.
    most = Challenge.objects.select_for_update().get(pk=challenge.pk).most_teams
    if challenge.teams.filter(is_baseline=False).count() >= most:
        raise ChallengeRefused(f"the challenge already has {most} teams, which is the maximum: ask its hosts")
    if not name.strip():
        raise ChallengeRefused("a team needs a name")
    if Team.objects.filter(challenge=challenge, name=name.strip()).exists():
        raise ChallengeRefused(f"there is already a team with the name {name.strip()!r}: choose another")
    team = Team.objects.create(challenge=challenge, name=name.strip(), affiliation=affiliation.strip(), created_at=now)
    _add_member(team, user=user, now=now)
    return team


def invite_member(team: Team, *, by: Any, now: datetime) -> str:
    """Return a token with which one person can join the team within two weeks.

    Raises:
        ChallengeRefused: The team is full.
    """
    _check_size(team)
    token = secrets.token_urlsafe(24)
    TeamInvitation.objects.create(
        team=team, digest=_digest(token), made_by=by, made_at=now, expires_at=now + INVITATION_LASTS
    )
    return token


def find_invitation(token: str, *, now: datetime) -> TeamInvitation | None:
    """Return an invitation that can be accepted, with its team and challenge."""
    valid = TeamInvitation.objects.filter(digest=_digest(token), used_at=None, expires_at__gt=now)
    return valid.select_related("team__challenge").first()


@transaction.atomic
def join_team(token: str, *, user: Any, now: datetime) -> Team:
    """Join the team of an invitation, which is used up.

    Raises:
        ChallengeRefused: The invitation is unknown, used or expired, the team is full, or the person may not join.
    """
    invitation = find_invitation(token, now=now)
    if invitation is None:
        raise ChallengeRefused("this invitation is unknown, used or expired: ask the team for another")
    # Lock the team, so that members who join at the same time are counted one after the other.
    team = Team.objects.select_for_update().get(pk=invitation.team_id)
    _check_can_join(team.challenge, user=user)
    _check_size(team)
    _add_member(team, user=user, now=now)
    if not TeamInvitation.objects.filter(pk=invitation.pk, used_at=None).update(used_at=now):
        raise ChallengeRefused("this invitation was used a moment ago: ask the team for another")
    return team


def _check_can_join(challenge: Challenge, *, user: Any) -> None:
    if challenge.state != ChallengeState.OPEN:
        raise ChallengeRefused("the challenge is not open")
    if not has_accepted(challenge, user=user):
        raise ChallengeRefused("accept the terms of the challenge first")


def _check_size(team: Team) -> None:
    if team.members.count() >= team.challenge.team_size:
        raise ChallengeRefused(f"the team is full: it may have {team.challenge.team_size} members")


def _add_member(team: Team, *, user: Any, now: datetime) -> None:
    try:
        with transaction.atomic():
            TeamMember.objects.create(team=team, challenge_id=team.challenge_id, user=user, joined_at=now)
    except IntegrityError as error:
        raise ChallengeRefused("you are in a team of this challenge already") from error


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
