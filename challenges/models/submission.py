"""Submissions and their scores."""

import secrets
from typing import Any, Final

from django.conf import settings
from django.db import models
from django.db.models import Q

from challenges.enums import ENDED, SubmissionState
from challenges.models.phase import Phase
from challenges.models.team import Team

REMOVED_BASELINE: Final = Q(is_baseline=True) & ~Q(disqualified_because="")
"""The condition that a submission is a baseline that the hosts removed; it has no file any more."""


def make_token() -> str:
    """Return an unguessable identifier of a submission."""
    return secrets.token_urlsafe(16)


class Submission(models.Model):
    """Results of a team in a phase, from the start of the upload to its end."""

    token = models.CharField(max_length=22, unique=True, default=make_token, editable=False)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="submissions")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="submissions")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    name = models.CharField(max_length=200, help_text="The name of the file.")
    description = models.CharField(max_length=500, blank=True)
    file = models.FileField(upload_to="submissions/", max_length=200, blank=True)
    n_bytes = models.PositiveBigIntegerField(help_text="The size of the file, as announced.")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the file.")
    state = models.CharField(max_length=10, choices=SubmissionState, default=SubmissionState.RECEIVING)
    reason = models.TextField(blank=True, help_text="Why it failed or was cancelled.")
    created_at = models.DateTimeField(
        help_text="When the upload began, then when it was completed; the limit counts it on this day."
    )
    finished_at = models.DateTimeField(null=True, blank=True)
    disqualified_because = models.CharField(max_length=500, blank=True)
    is_hidden = models.BooleanField(default=False, help_text="Left out of the board by its team.")
    is_baseline = models.BooleanField(default=False, help_text="Added by the hosts for comparison; it has no rank.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="submission_is_in_a_known_state", condition=Q(state__in=SubmissionState.values)
            ),
            models.CheckConstraint(
                name="submission_has_end_iff_ended",
                condition=Q(state__in=ENDED, finished_at__isnull=False)
                | ~Q(state__in=ENDED) & Q(finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="submission_failed_for_a_reason", condition=~Q(state=SubmissionState.FAILED) | ~Q(reason="")
            ),
        ]
        indexes = [
            models.Index(fields=["phase", "team", "created_at"], name="submissions_by_team"),
            models.Index(fields=["phase", "state"], name="submissions_by_state"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.state})"


class _ScoreManager(models.Manager):
    """Leaves the scores of images in the database until they are asked for: they are large."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().defer("per_image")


class SubmissionScore(models.Model):
    """The score of a submission by one metric with one set of references."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="scores")
    references = models.CharField(max_length=20, help_text="The name of the references.")
    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500)
    value = models.FloatField(null=True, blank=True, help_text="Empty: undefined.")
    n_images = models.PositiveIntegerField()
    is_mean = models.BooleanField(
        default=False, help_text="Whether the value is the mean over images; otherwise it is computed from sums."
    )
    per_image = models.BinaryField(
        null=True,
        blank=True,
        editable=False,
        help_text="Scores or statistics by image, compressed, for intervals only; never shown.",
    )

    objects = _ScoreManager()

    class Meta:
        ordering = ["submission", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "references", "metric"], name="score_once_per_submission_references_metric"
            )
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.references}: {self.value}"
