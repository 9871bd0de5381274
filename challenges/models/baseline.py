"""Baselines: submissions that the hosts add to a phase for comparison."""

from django.db import models
from django.db.models import Q

from challenges.enums import BaselineKind
from challenges.models.submission import Submission


class Baseline(models.Model):
    """Where the captions of a submission of the hosts come from; its team, without members, has the baseline's name."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="baseline")
    kind = models.CharField(max_length=20, choices=BaselineKind)
    seed = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of the choice of the references that are held out as captions."
    )
    source = models.FileField(
        upload_to="baselines/",
        max_length=200,
        blank=True,
        help_text="Training captions of a common caption, until the captions have been made.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(name="baseline_is_of_a_known_kind", condition=Q(kind__in=BaselineKind.values)),
            models.CheckConstraint(
                name="baseline_has_a_seed_iff_it_is_human",
                condition=Q(kind=BaselineKind.HUMAN, seed__isnull=False)
                | (~Q(kind=BaselineKind.HUMAN) & Q(seed__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} ({self.submission_id})"
