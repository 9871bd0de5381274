"""Teams, their members and invitations, accepted terms and raised limits."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from challenges.models.challenge import Challenge
from challenges.models.phase import Phase
from studies.models.webhook import Webhook


class TermsAcceptance(models.Model):
    """A person has accepted the terms of a challenge, in the version with this digest."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="acceptances")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    terms_digest = models.CharField(max_length=64, help_text="SHA-256 of the terms.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["challenge", "user", "terms_digest"], name="terms_accepted_once_per_person_and_version"
            )
        ]


class Team(models.Model):
    """People who submit together."""

    challenge = models.ForeignKey(Challenge, on_delete=models.CASCADE, related_name="teams")
    name = models.CharField(max_length=60)
    affiliation = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField()
    is_baseline = models.BooleanField(
        default=False, help_text="Made with a baseline of the hosts, whose name it has; it has no members."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["challenge", "name"], name="team_name_once_per_challenge")]

    def __str__(self) -> str:
        return self.name


class TeamMember(models.Model):
    """A member of a team; a person is in one team of a challenge."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    challenge = models.ForeignKey(
        Challenge, on_delete=models.CASCADE, related_name="+", help_text="That of the team, for the constraint."
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="team_memberships")
    joined_at = models.DateTimeField()
    wants_mail = models.BooleanField(default=False, help_text="Told by mail when a submission of the team has ended.")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["challenge", "user"], name="one_team_per_person_and_challenge")]


class TeamWebhook(Webhook):
    """An address that is told when a submission of the team has ended, given by a member."""

    member = models.OneToOneField(TeamMember, on_delete=models.CASCADE, related_name="webhook")

    @property
    def is_active(self) -> bool:
        """Whether the account of the member is open; whoever leaves the team takes the webhook along."""
        return bool(self.member.user.is_active)


class TeamInvitation(models.Model):
    """A link by which one person can join a team. Only its digest is stored."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="Refused from then on.")
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]


class TeamLimit(models.Model):
    """Limits of one team in a phase, in place of those of the phase."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="limits")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="team_limits")
    per_day = models.PositiveSmallIntegerField()
    in_all = models.PositiveIntegerField()
    reason = models.CharField(max_length=500)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["team", "phase"], name="one_limit_per_team_and_phase"),
            models.CheckConstraint(name="raised_limit_has_a_reason", condition=~Q(reason="")),
        ]
