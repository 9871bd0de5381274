"""Metrics for `benchmarks.faults`, copied to a plugins folder: one that fails on demand, and one that kills workers.

The folder `FAULTS_FOLDER` holds a file for each chunk that was computed, and the file that asks for a fault.
"""

import os
import signal
import time
from pathlib import Path
from typing import ClassVar

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores, hookimpl

_STEP = 16 * 2**20


def _describe(metric: str, title: str) -> MetricInfo:
    return MetricInfo(
        id=metric,
        title=title,
        level=Level.SEGMENT,
        inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True,
        bounds=(0.0, float("inf")),
        version="1",
        citation="none",
    )


class Paused(Metric):
    """The length of a candidate; takes `FAULTS_SECONDS` for each chunk, and all memory for one if it is asked to."""

    info: ClassVar[MetricInfo] = _describe("paused", "Paused")

    def score(self, batch: Batch) -> Scores:
        folder = Path(os.environ["FAULTS_FOLDER"])
        (folder / "computed" / f"{batch.keys[0]} {os.getpid()} {time.monotonic_ns()}".replace("/", "_")).touch()
        try:
            (folder / "take-memory").unlink()
        except FileNotFoundError:
            time.sleep(float(os.environ["FAULTS_SECONDS"]))
        else:
            _take_memory(int(os.environ["FAULTS_MEMORY"]))
        return Scores.make(batch.keys, [float(len(caption)) for caption in batch.candidates])


class Kills(Metric):
    """Ends every worker that it meets, as the kernel does when memory runs out."""

    info: ClassVar[MetricInfo] = _describe("kills", "Kills")

    def score(self, batch: Batch) -> Scores:
        os.kill(os.getpid(), signal.SIGKILL)
        return Scores.make(batch.keys, [0.0] * len(batch))


def _take_memory(limit: int) -> None:
    """Take this many bytes step by step, until the nanny ends this process."""
    taken: list[bytes] = []
    while len(taken) * _STEP < limit:
        taken.append(os.urandom(1024) * (_STEP // 1024))
        time.sleep(0.01)
    time.sleep(60)


@hookimpl
def register_metrics() -> list[type[Metric]]:
    return [Paused, Kills]
