"""Requested background work, and a study's choices for metrics."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.enums import RequestState
from studies.models.study import Study

_UNDER_WAY = (RequestState.QUEUED, RequestState.RUNNING, RequestState.PAUSED)


class StudyMetric(models.Model):
    """A study's choices for one metric; without a row it is enabled with its defaults."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="metric_choices")
    metric = models.CharField(max_length=100)
    is_enabled = models.BooleanField(default=True, help_text="If false, not used in scoring, results and the explorer.")
    params = models.JSONField(default=dict, blank=True, help_text="Parameters of its next run.")
    signature = models.CharField(
        max_length=500, blank=True, help_text="The scores that results use; empty: the newest ones."
    )

    class Meta:
        ordering = ["study", "metric"]
        constraints = [models.UniqueConstraint(fields=["study", "metric"], name="choice_once_per_study_and_metric")]

    def __str__(self) -> str:
        return f"{self.metric} in {self.study_id}"


class ScoringRequest(models.Model):
    """A requested run of metrics on a study's dataset; it has a job while it waits or runs."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="scoring_requests")
    protocol = models.CharField(max_length=500, blank=True, help_text="If empty, those of all studies of the dataset.")
    judging = models.ForeignKey(
        Study,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        help_text="The study whose judgments metrics are fitted on; if empty, the study itself.",
    )
    state = models.CharField(max_length=10, choices=RequestState, default=RequestState.QUEUED)
    n_done = models.PositiveIntegerField(default=0, help_text="Chunks already scored.")
    n_total = models.PositiveIntegerField(default=0, help_text="Total number of chunks; 0 until they are counted.")
    message = models.TextField(blank=True, help_text="Why the run failed as a whole.")
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    requested_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study"], condition=Q(state__in=_UNDER_WAY), name="one_run_under_way_per_study"
            )
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of study {self.study_id}"


class RequestedMetric(models.Model):
    """One metric of a requested run, and its outcome."""

    request = models.ForeignKey(ScoringRequest, on_delete=models.CASCADE, related_name="metrics")
    metric = models.CharField(max_length=100)
    params = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=10, choices=RequestState, default=RequestState.QUEUED)
    n_done = models.PositiveIntegerField(default=0)
    n_total = models.PositiveIntegerField(default=0)
    n_missing = models.PositiveIntegerField(default=0, help_text="Missing scores (NaN), over all its inputs.")
    n_infinite = models.PositiveIntegerField(default=0, help_text="How many of them had an infinite score.")
    signature = models.CharField(max_length=500, blank=True)
    message = models.TextField(blank=True, help_text="Why it failed.")
    n_begun = models.PositiveSmallIntegerField(
        default=0, help_text="How often in a row a worker began to work for it and ended before it was done."
    )
    seconds = models.FloatField(default=0.0, help_text="Time spent fitting and scoring in this run.")
    estimated_seconds = models.FloatField(
        null=True, blank=True, help_text="The time estimated when the run was requested; empty if unknown."
    )
    is_busy = models.BooleanField(default=False, help_text="Whether the newest attempt is working for it.")

    class Meta:
        ordering = ["request", "metric"]
        constraints = [models.UniqueConstraint(fields=["request", "metric"], name="metric_once_per_request")]

    def __str__(self) -> str:
        return f"{self.metric} of run {self.request_id}"


class ConformanceReport(models.Model):
    """The findings of the conformance kit for one metric in one state of its package."""

    metric = models.CharField(max_length=100)
    version = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the package's or file's sources.")
    results = models.JSONField(help_text="[check, clause, message] each; no message: passed.")
    signature = models.CharField(
        max_length=500, blank=True, help_text="Signature of the metric with default parameters."
    )
    finished_at = models.DateTimeField()

    class Meta:
        ordering = ["metric", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["metric", "version", "digest"], name="report_once_per_state_of_a_metric")
        ]

    def __str__(self) -> str:
        return f"checks of {self.metric} {self.version}"
