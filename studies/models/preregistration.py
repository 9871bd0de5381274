"""Declarations before the first judgment, and looks at a study before it is complete."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.models.study import Study


class Preregistration(models.Model):
    """A declaration, which triggers keep from changing; deviations are found by comparison."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="preregistrations")
    number = models.PositiveIntegerField()
    content = models.TextField(help_text="The full declaration, as canonical JSON.")
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
    """One look under the study's stopping rule. It spends error, so it is stored unchanged and never repeated."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="looks")
    number = models.PositiveSmallIntegerField(help_text="Number of the planned look, from 1.")
    rule = models.JSONField(help_text="The fields of studies.design.study_design.StoppingRule, as they were.")
    n_judgments = models.PositiveIntegerField(help_text="Number of judgments used.")
    fraction = models.FloatField(help_text="Fraction of the planned judgments.")
    spent = models.FloatField(help_text="Cumulative two-sided error spent up to this look.")
    level = models.FloatField(help_text="Two-sided significance level of a single test at this look.")
    findings = models.JSONField(help_text="The estimates, with standard errors and repeated intervals.")
    says_stop = models.BooleanField()
    reason = models.TextField(help_text="The reason, in words.")
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
