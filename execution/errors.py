"""Errors of executors."""

from concurrent.futures import BrokenExecutor


class UnknownExecutor(ValueError):
    """A setting or an argument names a kind of executor that does not exist."""


class ClusterFailed(BrokenExecutor):
    """A cluster cannot be used, or no longer; the message gives the reason. What was finished before is kept."""


class WorkersKilled(Exception):
    """A call was given up because the worker processes that ran it ended, one after the other.

    Attributes:
        n_workers: The number of worker processes that ended while they ran the call.
        last_worker: The address of the last one.
    """

    def __init__(self, n_workers: int, last_worker: str) -> None:
        super().__init__(n_workers, last_worker)
        self.n_workers = n_workers
        self.last_worker = last_worker

    def __str__(self) -> str:
        return f"{self.n_workers} worker processes ended while they ran it, the last of them {self.last_worker}"


class CallsLost(Exception):
    """Calls were lost with the connection to the cluster."""
