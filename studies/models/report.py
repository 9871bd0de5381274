"""Frozen reports, which do not change with the study."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.models.study import Study


class FrozenReport(models.Model):
    """A frozen report. Its text never changes; a separate field says when it has become stale."""

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="reports")
    number = models.PositiveIntegerField()
    title = models.CharField(
        max_length=200, blank=True, help_text="The title that readers see; if it is empty, that of the study."
    )
    content = models.TextField(help_text="The full report as JSON, from which tables and figures are created.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the content.")
    data_digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the judgments and scores behind it."
    )
    facts = models.JSONField(
        default=dict,
        blank=True,
        help_text="How the judgments were collected, at that time: the basis of the methods text.",
    )
    column = models.JSONField(
        default=dict,
        blank=True,
        help_text="Its column in the benchmark matrix of the front page, made from the content.",
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True, blank=True
    )
    is_public = models.BooleanField(
        default=False, help_text="Whether visitors without an account see the report, if they see its study."
    )
    stale_since = models.DateTimeField(null=True, blank=True, help_text="When judgments behind it were first removed.")
    stale_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["study", "number"]
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="report_number_once_per_study"),
            models.CheckConstraint(
                name="report_is_stale_for_a_reason",
                condition=Q(stale_since__isnull=True, stale_reason="")
                | (Q(stale_since__isnull=False) & ~Q(stale_reason="")),
            ),
        ]

    def __str__(self) -> str:
        return f"report {self.number}"

    @property
    def shown_title(self) -> str:
        """The title that readers see."""
        return self.title or self.study.title or self.study.name


class ReportLink(models.Model):
    """A secret address at which anybody can read one report. Only the token's digest is stored."""

    report = models.ForeignKey(FrozenReport, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token in the address.")
    hint = models.CharField(max_length=8, help_text="The token's last characters, to tell links apart.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(help_text="The link stops working then.")
    revoked_at = models.DateTimeField(null=True, blank=True)
    n_views = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"…{self.hint}"
