"""Programs that send the token of a team or of a host."""

from django.test import Client
from django.utils import timezone

from challenges.hosting.tokens import make_host_token
from challenges.taking_part.tokens import make_team_token
from studies.access.audit import Actor
from studies.enums import Interface


def make_program(team, **extra):
    """Return a client that sends a new token of the team's first member."""
    _, secret = make_team_token(team, name="script", by=team.members.first().user, now=timezone.now(), **extra)
    return Client(headers={"authorization": f"Bearer {secret}"})


def make_host_program(user, **extra):
    """Return a client that sends a new token of a person for hosting."""
    _, secret = make_host_token(name="script", actor=Actor(user, Interface.PAGE), now=timezone.now(), **extra)
    return Client(headers={"authorization": f"Bearer {secret}"})
