"""Tokens for programs that submit for a team, or host challenges for a person."""

from django.db import models

from challenges.models.team import Team
from studies.models.access import Token


class TeamToken(Token):
    """A secret by which a program submits for a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tokens")


class HostToken(Token):
    """A secret by which a program makes challenges, and hosts those that its creator hosts at the time of use."""
