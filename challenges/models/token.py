"""Tokens for programs that submit for a team, or host challenges for a person."""

from django.conf import settings
from django.db import models

from challenges.models.team import Team


class Token(models.Model):
    """A secret by which a program acts in the name of its creator. Only its digest is stored."""

    name = models.CharField(max_length=100, help_text="What it is for.")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    hint = models.CharField(max_length=8, help_text="Its last characters, to tell tokens apart.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Refused from then on.")
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} …{self.hint}"


class TeamToken(Token):
    """A secret by which a program submits for a team."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="tokens")


class HostToken(Token):
    """A secret by which a program makes challenges, and hosts those that its creator hosts at the time of use."""
