"""Challenges, their hosts and what the hosts did."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from challenges.enums import ChallengeAction, ChallengeState
from studies.enums import Interface
from studies.models import Dataset


class Challenge(models.Model):
    """A dataset with private references, on which teams compete."""

    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True, help_text="Markdown.")
    terms = models.TextField(blank=True, help_text="Markdown; accepted by everybody who takes part.")
    dataset = models.ForeignKey(
        Dataset, on_delete=models.PROTECT, related_name="challenges", help_text="Its references are private."
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="owned_challenges", null=True, blank=True
    )
    hosts: Any = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="hosted_challenges", blank=True)
    state = models.CharField(max_length=10, choices=ChallengeState, default=ChallengeState.DRAFT)
    is_anonymous = models.BooleanField(
        default=False, help_text="Names of teams are hidden from others until they are published."
    )
    published_at = models.DateTimeField(null=True, blank=True, help_text="When the names of teams were published.")
    team_size = models.PositiveSmallIntegerField(default=5, help_text="The most members of a team.")
    most_teams = models.PositiveIntegerField(
        default=100, help_text="The most teams: each learns something about the references from its scores."
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(name="challenge_is_in_a_known_state", condition=Q(state__in=ChallengeState.values)),
            models.CheckConstraint(name="challenge_team_has_a_member", condition=Q(team_size__gte=1)),
            models.CheckConstraint(name="challenge_has_room_for_a_team", condition=Q(most_teams__gte=1)),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def shows_names(self) -> bool:
        """Whether everybody sees the names of teams."""
        return not self.is_anonymous or self.published_at is not None


class ChallengeEvent(models.Model):
    """An action of a host with its reason, written in the transaction of the action and shown with the challenge."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="events")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    actor_name = models.CharField(max_length=150, blank=True, help_text="Empty for a command run without a user.")
    interface = models.CharField(max_length=10, choices=Interface)
    action = models.CharField(max_length=20, choices=ChallengeAction)
    reason = models.CharField(max_length=500, blank=True)
    details = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.action} {self.challenge_id}"
