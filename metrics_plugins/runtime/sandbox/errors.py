"""What can happen to a guarded process, in words for the person who reads of the run."""


class ChildFailed(Exception):
    """The process ended or was ended; the message says why and, last, what it had printed.

    Attributes:
        reason: Why, in one sentence without a full stop.
        output: The beginning and the end of what was printed, "" if nothing was.
    """

    def __init__(self, reason: str, *, output: str = "") -> None:
        super().__init__(f"{reason}; it had printed: {output}" if output else reason)
        self.reason = reason
        self.output = output


class NotStarted(ChildFailed):
    """There is no process, whatever plugin it is for: the service that should start it does not."""


class ChildStopped(Exception):
    """Whoever asked does not want the answer any more; the process was ended."""
