"""What a job's work has in hand: its payload, and how it tells how far it is."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from jobs.ending import add_line, end_job
from jobs.enums import JobState
from jobs.errors import JobStopped
from jobs.models import Job

REPORT_SECONDS: Final = 0.5
"""Of the same message a new number is written no sooner than this."""


class JobHandle:
    """A job as its work sees it. Every call that writes raises JobStopped if the job is no longer this worker's."""

    def __init__(self, job: Job, *, now: Callable[[], datetime]) -> None:
        self.job = job
        self.now = now
        self.is_finished = False
        self._message = ""
        self._next_report = 0.0
        self._held = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, lease=job.lease)

    @property
    def payload(self) -> Mapping[str, Any]:
        return self.job.payload

    def report(self, message: str, *, n_done: int = 0, n_total: int = 0) -> None:
        """Say what is being done, and how many steps of how many are through; call it as often as you like."""
        if message == self._message and time.monotonic() < self._next_report:
            return
        self._message, self._next_report = message, time.monotonic() + REPORT_SECONDS
        # No number goes beyond its total, whatever was counted.
        self._write(message=message[:300], n_done=min(n_done, n_total) if n_total else n_done, n_total=n_total)

    def log(self, text: str) -> None:
        """Add a line to the log."""
        self.hold()
        add_line(self.job, text, now=self.now())

    def hold(self) -> None:
        """Make sure that the job is this worker's, and keep it so to the end of the transaction that this is in."""
        self._write(heartbeat=self.now())

    def finish(self, result: Mapping[str, Any] | None = None) -> None:
        """End the job well, in the transaction that writes what it was for: both are there, or neither."""
        kept = None if result is None else dict(result)
        if not end_job(self._held, JobState.DONE, now=self.now(), result=kept):
            raise JobStopped
        self.is_finished = True

    def fail(self, problem: str) -> None:
        """End the job with the reason why nothing came of it."""
        if not end_job(self._held, JobState.FAILED, now=self.now(), problem=problem or "it failed without a word"):
            raise JobStopped
        self.is_finished = True

    def _write(self, **values: Any) -> None:
        if not self._held.update(**values):
            raise JobStopped
