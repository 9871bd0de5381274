"""The interface of a running job: its payload, progress reports, log and end."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from jobs.ending import add_line, end_job
from jobs.enums import JobState
from jobs.errors import JobStopped
from jobs.models import Job

REPORT_SECONDS: Final = 0.5
"""The shortest time between two progress updates with the same message."""


class JobHandle:
    """The handle passed to a job's work. Methods that write raise JobStopped if the worker has lost the job."""

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
        """Report the current step and the number of steps done; may be called as often as needed."""
        if message == self._message and time.monotonic() < self._next_report:
            return
        self._message, self._next_report = message, time.monotonic() + REPORT_SECONDS
        # The number done never exceeds the total.
        self._write(message=message[:300], n_done=min(n_done, n_total) if n_total else n_done, n_total=n_total)

    def log(self, text: str) -> None:
        """Add a line to the log."""
        self.hold()
        add_line(self.job, text, now=self.now())

    def hold(self) -> None:
        """Check that this worker still has the job, and lock it until the end of the current transaction."""
        self._write(heartbeat=self.now())

    def count_tries_anew(self) -> None:
        """Restart the count of tries: earlier losses are not due to the work that starts now."""
        self._write(n_tries=1)

    def finish(self, result: Mapping[str, Any] | None = None) -> None:
        """Mark the job as done; call it in the transaction that stores the job's results."""
        kept = None if result is None else dict(result)
        if not end_job(self._held, JobState.DONE, now=self.now(), result=kept):
            raise JobStopped
        self.is_finished = True

    def fail(self, problem: str) -> None:
        """Mark the job as failed with this reason."""
        if not end_job(
            self._held, JobState.FAILED, now=self.now(), problem=problem or "it failed without an error message"
        ):
            raise JobStopped
        self.is_finished = True

    def _write(self, **values: Any) -> None:
        if not self._held.update(**values):
            raise JobStopped
