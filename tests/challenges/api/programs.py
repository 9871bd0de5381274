"""Programs that send the token of a team."""

from django.test import Client
from django.utils import timezone

from challenges.taking_part.tokens import make_team_token


def make_program(team, **extra):
    """Return a client that sends a new token of the team's first member."""
    _, secret = make_team_token(team, name="script", by=team.members.first().user, now=timezone.now(), **extra)
    return Client(headers={"authorization": f"Bearer {secret}"})
