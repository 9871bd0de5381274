"""What is known of a rater's part in a study beside the judgments: qualification, exclusion, events, withdrawal."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.enums import EventKind
from studies.models.rater import Rater
from studies.models.study import Study


class QualificationAttempt(models.Model):
    """How one attempt at the qualification went."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="qualification_attempts")
    number = models.PositiveSmallIntegerField()
    n_right = models.PositiveSmallIntegerField()
    n_items = models.PositiveSmallIntegerField()
    passed = models.BooleanField()
    ended_at = models.DateTimeField()

    class Meta:
        ordering = ["rater", "number"]
        constraints = [models.UniqueConstraint(fields=["rater", "number"], name="attempt_number_once_per_rater")]


class Exclusion(models.Model):
    """The decision to leave a rater out of the analysis. The judgments stay; lifting the decision keeps its record."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="exclusions")
    rule = models.CharField(
        max_length=50, help_text="The declared rule that it follows; empty for a decision by hand.", blank=True
    )
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    decided_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    n_slots = models.PositiveIntegerField(
        null=True, blank=True, help_text="Slots that went back to other raters; empty if none were to."
    )
    ended_part = models.BooleanField(
        default=False, help_text="The rater was at work until then; without it, the part had ended before."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["rater"], condition=Q(lifted_at__isnull=True), name="rater_has_one_exclusion_in_force"
            )
        ]


class Withdrawal(models.Model):
    """The receipt of a withdrawal: that it happened, what was erased and what is owed, not who it was."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="withdrawals")
    receipt = models.CharField(max_length=40, unique=True)
    n_judgments_erased = models.PositiveIntegerField()
    n_judgments_kept = models.PositiveIntegerField()
    withdrawn_at = models.DateTimeField()
    earned = models.DecimalField(
        max_digits=8,
        decimal_places=2,
        default=0,
        help_text="What the panel pays by itself for sessions that were done.",
    )
    owed = models.DecimalField(
        max_digits=8, decimal_places=2, default=0, help_text="What is owed beside that to who shows the receipt."
    )
    currency = models.CharField(max_length=3, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True, help_text="When what is owed was paid.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.receipt


class RaterEvent(models.Model):
    """What happened around a rater and is not a judgment: refusals, corrections, second devices."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="events", null=True, blank=True)
    kind = models.CharField(max_length=15, choices=EventKind)
    details = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["study", "kind"], name="events_by_kind")]
