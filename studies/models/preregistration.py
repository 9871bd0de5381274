"""What was declared before the first judgment: design, items, exclusion rules and the plan of the analysis."""

from django.conf import settings
from django.db import models

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
