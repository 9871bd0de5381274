"""Errors raised by jobs and by requests for jobs."""

from datetime import timedelta


class JobRefused(Exception):
    """A job cannot be accepted; the message says why and what to do."""


class QuotaExceeded(JobRefused):
    """The account has reached its limit of jobs."""


class JobUnderWay(JobRefused):
    """A job of this kind and key is already queued or running."""


class WorkFailed(Exception):
    """The job failed, and would fail again; the message gives the reason to the user."""


class TryAgain(Exception):
    """The job failed for now; it is retried later, up to the limit of its kind."""

    def __init__(self, reason: str, *, after: timedelta = timedelta(seconds=30)) -> None:
        super().__init__(reason)
        self.after = after


class JobStopped(Exception):
    """The worker has lost the job, by cancellation or reassignment, and must not write anything more for it."""
