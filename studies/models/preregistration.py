"""What was declared before the first judgment, and looks at a study before it is complete, each of which is kept."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.models.study import Study


class Preregistration(models.Model):
    """A declaration as it was made. It never changes, which triggers keep; deviations are found by comparing."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="preregistrations")
    number = models.PositiveIntegerField()
    content = models.TextField(help_text="All that is declared, as canonical JSON.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the content.")
    frozen_at = models.DateTimeField()
    frozen_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="preregistration_number_once_per_study")
        ]

    def __str__(self) -> str:
        return f"preregistration {self.number}"


class StoppingLook(models.Model):
    """One look under the study's stopping rule. It spends error, so it is kept as it was and never taken again."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="looks")
    number = models.PositiveSmallIntegerField(help_text="Which of the planned looks, from 1.")
    rule = models.JSONField(help_text="The fields of studies.design.design.StoppingRule, as they were.")
    n_judgments = models.PositiveIntegerField(help_text="Judgments that counted.")
    fraction = models.FloatField(help_text="Of all judgments that were planned.")
    spent = models.FloatField(help_text="Error that may have been spent up to this look, of both directions.")
    level = models.FloatField(help_text="Two-sided level of a single test at this look.")
    findings = models.JSONField(help_text="The estimates, with standard errors and repeated intervals.")
    says_stop = models.BooleanField()
    reason = models.TextField(help_text="Why, in words.")
    taken_at = models.DateTimeField()
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="look_taken_once_per_study"),
            models.CheckConstraint(name="look_fraction_within_plan", condition=Q(fraction__gt=0) & Q(fraction__lte=1)),
        ]

    def __str__(self) -> str:
        return f"look {self.number}"
