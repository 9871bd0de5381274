"""The connection of this process to a Dask cluster, which is kept between uses."""

import logging
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from execution.cluster.sameness import describe_process, explain_differences, list_differences
from execution.errors import ClusterFailed

if TYPE_CHECKING:
    from distributed import Client

ADDRESS: Final = "ACCORDANCE_DASK"
"""The environment variable with the scheduler's address; if empty, a cluster of this machine's cores is started."""
WAIT: Final = "ACCORDANCE_DASK_WAIT"
"""The environment variable with the seconds to wait for a lost scheduler, or for workers."""
GPU: Final = "GPU"
"""The Dask resource of workers that have a GPU: `dask worker --resources GPU=1`."""
ALLOWED_FAILURES: Final = 2
"""`distributed.scheduler.allowed-failures` of a local cluster: a call is given up when its third worker ends."""
TRIMMING: Final = "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_"
"""Nannies make workers return freed memory at once, which they then take again: this costs metrics time."""

_CONNECT_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Which cluster to use.

    Attributes:
        address: The scheduler's address; empty for a cluster on this machine that ends with this process.
        wait: Seconds to wait for a lost scheduler, or for workers, before the work stops.
        n_workers: The number of workers of a cluster on this machine.
    """

    address: str = ""
    wait: float = 60.0
    n_workers: int = 1


def read_settings(environ: Mapping[str, str] = os.environ) -> ClusterSettings:
    """Return the settings of the environment.

    Raises:
        ClusterFailed: One of them cannot be read.
    """
    try:
        return ClusterSettings(
            address=environ.get(ADDRESS, ""),
            wait=float(environ.get(WAIT) or 60),
            n_workers=int(environ.get("ACCORDANCE_SCORING_PROCESSES") or 0) or os.cpu_count() or 1,
        )
    except ValueError as error:
        raise ClusterFailed(f"{WAIT} and ACCORDANCE_SCORING_PROCESSES must be numbers: {error}") from error


@dataclass
class Connection:
    """A client of a cluster, replaced when it has lost the scheduler for good."""

    settings: ClusterSettings
    client: "Client"
    cluster: Any = None
    checked: set[tuple[str, tuple[Path, ...]]] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.settings.address or "the local cluster"

    def list_workers(self, *, device: str) -> dict[str, dict[str, Any]]:
        """Return what the scheduler knows of the workers that can compute on a device, by address.

        Raises:
            OSError: There is no connection.
        """
        workers: dict[str, dict[str, Any]] = self.client.scheduler_info(n_workers=-1)["workers"]
        if device == "cpu":
            return workers
        return {address: each for address, each in workers.items() if each.get("resources", {}).get(GPU)}

    def wait_for_workers(self, *, device: str) -> dict[str, dict[str, Any]]:
        """Wait until the scheduler can be reached and has workers for a device, and return them.

        Raises:
            ClusterFailed: The scheduler cannot be reached for `wait` seconds, or has no workers for as long from then.
        """
        deadline = time.monotonic() + self.settings.wait
        reason, is_found = "the scheduler cannot be reached", False
        while True:
            try:
                if self.client.status == "closed":
                    timeout = min(_CONNECT_SECONDS, self.settings.wait)
                    self.client = _connect(self.cluster or self.settings.address, timeout=timeout)
                    self.checked.clear()
                if self.client.status == "running":
                    workers = self.list_workers(device=device)
                    if workers:
                        return workers
                    if not is_found:
                        # Workers that were cut off as well, or ended with their scheduler, need time to come back.
                        is_found, deadline = True, time.monotonic() + self.settings.wait
                    offers = "" if device == "cpu" else f" with a GPU (`--resources {GPU}=1`)"
                    reason = f"it has no workers{offers}"
            except (OSError, ValueError):
                reason = "the scheduler cannot be reached"
            if time.monotonic() > deadline:
                raise ClusterFailed(f"the cluster at {self.name}: {reason}, for {self.settings.wait:g} seconds")
            time.sleep(_PAUSE_SECONDS)

    def check_workers(self, workers: Mapping[str, Mapping[str, Any]], *, files: Sequence[Path]) -> dict[str, str]:
        """Check that workers have the versions and plugins of this process, and return these.

        Raises:
            ClusterFailed: A worker differs, or cannot be asked; the message names it.
        """
        expected = describe_process(files)
        new = [address for address in workers if (address, tuple(files)) not in self.checked]
        if new:
            answers = self.client.run(describe_process, list(files), workers=new, on_error="return")
            differences = {}
            for address, answer in answers.items():
                name = workers[address].get("name", address)
                told = [f"it cannot be asked: {answer}"] if isinstance(answer, Exception) else None
                if lines := told or list_differences(expected, answer):
                    differences[address if name == address else f"{name} at {address}"] = lines
            if differences:
                raise ClusterFailed(explain_differences(differences))
            self.checked |= {(address, tuple(files)) for address in new}
        return expected


def connect(settings: ClusterSettings) -> Connection:
    """Return the connection of this process to a cluster; it is opened at the first call.

    Raises:
        ClusterFailed: The packages of the extra `cluster` are not installed, or there is no scheduler at the address.
    """
    key = (os.getpid(), settings)
    if key not in _connections:
        try:
            cluster = None if settings.address else _start_cluster(settings.n_workers)
            client = _connect(cluster or settings.address)
        except ImportError as error:
            raise ClusterFailed(f"a Dask cluster needs the extra `cluster`: {error}") from error
        except (OSError, ValueError) as error:
            raise ClusterFailed(f"there is no Dask scheduler at {settings.address}: {error}") from error
        _connections[key] = Connection(settings, client, cluster)
    return _connections[key]


_connections: Final[dict[tuple[int, ClusterSettings], Connection]] = {}


def _connect(target: Any, *, timeout: float = _CONNECT_SECONDS) -> "Client":
    from distributed import Client

    return Client(target, timeout=timeout, set_as_default=False, name="accordance")


def _start_cluster(n_workers: int) -> Any:
    import dask
    from distributed import LocalCluster

    with dask.config.set({"distributed.scheduler.allowed-failures": ALLOWED_FAILURES, TRIMMING: None}):
        return LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )
