"""Data of a rater's participation besides judgments: qualification, exclusion, events, withdrawal."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.enums import EventKind
from studies.models.people.rater import Rater
from studies.models.study import Study


class QualificationAttempt(models.Model):
    """The result of one attempt at the qualification."""

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
    """The decision to exclude a rater from the analysis. Judgments remain; a lifted decision remains on record."""

    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="exclusions")
    rule = models.CharField(
        max_length=50, help_text="The declared criterion that was met; empty for a manual decision.", blank=True
    )
    reason = models.TextField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    decided_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)
    n_slots = models.PositiveIntegerField(
        null=True, blank=True, help_text="Slots returned to other raters; empty if none."
    )
    ended_part = models.BooleanField(
        default=False, help_text="End of the rater's participation; empty if it had already ended."
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["rater"], condition=Q(lifted_at__isnull=True), name="rater_has_one_exclusion_in_force"
            )
        ]


class Withdrawal(models.Model):
    """The receipt of a withdrawal: what was erased and what is owed, without the identity."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="withdrawals")
    receipt = models.CharField(max_length=40, unique=True)
    n_judgments_erased = models.PositiveIntegerField()
    n_judgments_kept = models.PositiveIntegerField()
    withdrawn_at = models.DateTimeField()
    earned = models.DecimalField(
        max_digits=8, decimal_places=2, default=0, help_text="Amount that the panel pays for finished sessions."
    )
    owed = models.DecimalField(
        max_digits=8, decimal_places=2, default=0, help_text="Additional amount owed to the holder of the receipt."
    )
    currency = models.CharField(max_length=3, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True, help_text="When the amount owed was paid.")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.receipt


class RaterEvent(models.Model):
    """An event of a rater other than a judgment: refusals, corrections, second devices."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="events")
    rater = models.ForeignKey(Rater, on_delete=models.CASCADE, related_name="events", null=True, blank=True)
    kind = models.CharField(max_length=15, choices=EventKind)
    details = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["study", "kind"], name="events_by_kind")]
