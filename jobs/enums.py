"""The states of a job."""

from typing import Final

from django.db import models


class JobState(models.TextChoices):
    """The state of a job: queued -> running -> done, failed, cancelled or lost; a lost job may be queued again."""

    QUEUED = "queued", "Waiting"
    RUNNING = "running", "Running"
    DONE = "done", "Done"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"
    LOST = "lost", "Lost"


UNDER_WAY: Final = (JobState.QUEUED, JobState.RUNNING)
ENDED: Final = (JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.LOST)
