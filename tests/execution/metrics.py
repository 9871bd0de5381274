"""Metrics for tests of executors, importable by the workers of a cluster."""

import os
import signal
import time
from pathlib import Path
from typing import ClassVar

from metrics_plugins.api import Batch, Metric, MetricInfo, Scores
from tests.metrics_plugins.api.examples import make_info


class Marks(Metric):
    """Takes a moment for each chunk, and records which process scored it in a folder."""

    info: ClassVar[MetricInfo] = make_info("marks")

    def __init__(self, folder: Path, *, seconds: float = 0.1) -> None:
        self.folder, self.seconds = folder, seconds

    def score(self, batch: Batch) -> Scores:
        (self.folder / f"{batch.keys[0]}-{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(self.seconds)
        return Scores.make(batch.keys, [float(len(caption)) for caption in batch.candidates])


class Kills(Metric):
    """Ends every worker that it meets, as the kernel does when memory runs out."""

    info: ClassVar[MetricInfo] = make_info("kills")

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def score(self, batch: Batch) -> Scores:
        (self.folder / f"killed-{os.getpid()}").touch()
        os.kill(os.getpid(), signal.SIGKILL)
        return Scores.make(batch.keys, [0.0] * len(batch))
