"""What a job's work raises, and what asking for one may raise."""

from datetime import timedelta


class JobRefused(Exception):
    """A job cannot be taken; the message says why and what to do."""


class QuotaExceeded(JobRefused):
    """The account has used up what it may have at once."""


class JobUnderWay(JobRefused):
    """There is a job of this kind and key that waits or runs."""


class WorkFailed(Exception):
    """The work cannot be done, and would not be at another try; the message tells the person who asked why."""


class TryAgain(Exception):
    """The work could not be done now; it is tried again later, as often as its kind says."""

    def __init__(self, reason: str, *, after: timedelta = timedelta(seconds=30)) -> None:
        super().__init__(reason)
        self.after = after


class JobStopped(Exception):
    """The job is no longer this worker's: it was cancelled, or given up for lost. Nothing may be written for it."""
