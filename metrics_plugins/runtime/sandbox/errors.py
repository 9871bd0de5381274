"""Failures of a sandboxed process, with messages that are shown with the run."""


class ChildFailed(Exception):
    """The process ended or was killed; the message gives the reason, followed by the printed output.

    Attributes:
        reason: The reason, in one sentence without a full stop.
        output: The beginning and the end of the printed output, "" if there was none.
    """

    def __init__(self, reason: str, *, output: str = "") -> None:
        super().__init__(f"{reason}; it had printed: {output}" if output else reason)
        self.reason = reason
        self.output = output


class NotStarted(ChildFailed):
    """The service that starts sandboxed processes failed, so no plugin can be run."""


class ChildStopped(Exception):
    """The caller cancelled the request, and the process was killed."""
