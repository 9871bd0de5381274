"""Background jobs of all kinds, with their states and logs."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from jobs.enums import ENDED, UNDER_WAY, JobState


def make_token() -> str:
    """Return an unguessable identifier of a job."""
    return secrets.token_urlsafe(16)


class Job(models.Model):
    """A background job: its kind, account, state and result.

    The worker process that runs it holds its `lease` and renews its `heartbeat`. If the heartbeat is overdue, the job
    is lost, and is queued again while tries are left.
    """

    token = models.CharField(max_length=22, unique=True, default=make_token, editable=False)
    kind = models.CharField(max_length=60, help_text="A registered kind of job.")
    lane = models.CharField(max_length=30, help_text="Jobs of one lane never wait for those of another.")
    key = models.CharField(
        max_length=100, blank=True, help_text="Of a kind and key at most one job waits or runs; empty: any number."
    )
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="jobs", null=True, blank=True
    )
    payload = models.JSONField(default=dict, blank=True, help_text="Arguments of the job.")
    state = models.CharField(max_length=10, choices=JobState, default=JobState.QUEUED)
    message = models.CharField(max_length=300, blank=True, help_text="What it is currently doing.")
    n_done = models.PositiveIntegerField(default=0)
    n_total = models.PositiveIntegerField(default=0, help_text="Total number of steps; 0 if unknown.")
    problem = models.TextField(blank=True, help_text="Why it failed, was cancelled or was lost.")
    result = models.JSONField(null=True, blank=True, help_text="Result of the job.")
    requested_at = models.DateTimeField()
    not_before = models.DateTimeField(help_text="When it may start; later than requested after a failed try.")
    started_at = models.DateTimeField(null=True, blank=True, help_text="When its last try began.")
    finished_at = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    lease = models.CharField(max_length=32, blank=True)
    n_tries = models.PositiveSmallIntegerField(default=0, help_text="How often a worker started it.")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(name="job_is_in_a_known_state", condition=Q(state__in=JobState.values)),
            models.CheckConstraint(
                name="job_has_lease_iff_running",
                condition=Q(state=JobState.RUNNING, heartbeat__isnull=False, started_at__isnull=False) & ~Q(lease="")
                | ~Q(state=JobState.RUNNING) & Q(lease=""),
            ),
            models.CheckConstraint(
                name="job_has_end_iff_ended",
                condition=Q(state__in=ENDED, finished_at__isnull=False)
                | Q(state__in=UNDER_WAY, finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="job_has_problem_if_failed",
                condition=~Q(state__in=[JobState.FAILED, JobState.LOST]) | ~Q(problem=""),
            ),
            models.CheckConstraint(
                name="job_does_no_more_than_all", condition=Q(n_total=0) | Q(n_done__lte=F("n_total"))
            ),
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=Q(state__in=UNDER_WAY) & ~Q(key=""),
                name="one_job_under_way_per_kind_and_key",
            ),
        ]
        indexes = [
            models.Index(fields=["lane", "state"], name="jobs_by_lane_and_state"),
            models.Index(fields=["account", "state"], name="jobs_by_account_and_state"),
            models.Index(fields=["kind", "key"], name="jobs_by_kind_and_key"),
            models.Index(fields=["state", "finished_at"], name="jobs_by_end"),
        ]

    def __str__(self) -> str:
        return f"job {self.pk}: {self.kind}"

    @property
    def is_under_way(self) -> bool:
        """Whether it is queued or running."""
        return self.state in UNDER_WAY

    def estimate_end(self, now: datetime) -> datetime | None:
        """Return the estimated end of the current try at its rate so far; None if unknown."""
        if self.state != JobState.RUNNING or not self.n_done or not self.n_total or self.started_at is None:
            return None
        elapsed = max(now - self.started_at, timedelta())
        return self.started_at + elapsed * (self.n_total / self.n_done)


class JobLine(models.Model):
    """One line of a job's log."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="lines")
    at = models.DateTimeField()
    text = models.CharField(max_length=500)

    class Meta:
        ordering = ["job", "pk"]

    def __str__(self) -> str:
        return self.text
