import os
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from metrics_plugins.api import Batch, Metric, MetricInfo, Scores
from metrics_plugins.api.errors import MissingResource
from studies.scoring.workers import ChunkJob, ChunkScorer, SerialExecutor, score_jobs
from tests.metrics_plugins.api.examples import Recall, Words, make_info

ROOT = Path(__file__).resolve().parents[3]


class Fails(Metric):
    """Raises on a caption that says so."""

    info: ClassVar[MetricInfo] = make_info("fails")

    def score(self, batch: Batch) -> Scores:
        if "fail" in batch.candidates:
            raise ZeroDivisionError("no such caption")
        return Scores.make(batch.keys, [1.0] * len(batch))


class FoundMissing(Metric):
    """Finds out when it scores that a package is not there."""

    info: ClassVar[MetricInfo] = make_info("found-missing")

    def score(self, batch: Batch) -> Scores:
        raise MissingResource("pip install words")


class OutOfBounds(Metric):
    """Declares scores up to 1 and gives 2."""

    info: ClassVar[MetricInfo] = make_info("out-of-bounds", bounds=(0.0, 1.0))

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [2.0] * len(batch))


class Exits(Metric):
    """Takes its process down."""

    info: ClassVar[MetricInfo] = make_info("exits")

    def score(self, batch: Batch) -> Scores:
        os._exit(3)


def make_jobs(names, *, captions=("one", "two words", "three words here", "fail")):
    return [
        ChunkJob(index, Batch.make([str(index)], candidates=[caption], references=[["two words"]]), names)
        for index, caption in enumerate(captions)
    ]


def score(names, metrics, *, processes):
    jobs = make_jobs(names)
    results = [result for done in score_jobs(jobs, metrics=metrics, n_jobs=4, processes=processes) for result in done]
    return sorted(
        (result.metric, result.index, result.error, None if result.values is None else result.values.tolist())
        for result in results
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_a_broken_metric_does_not_take_others_down(processes):
    metrics = {"words": Words(), "fails": Fails(), "out-of-bounds": OutOfBounds()}

    scored = score(("words", "fails", "out-of-bounds"), metrics, processes=processes)

    assert [row for row in scored if row[0] != "out-of-bounds"] == [
        ("fails", 0, "", [1.0]),
        ("fails", 1, "", [1.0]),
        ("fails", 2, "", [1.0]),
        ("fails", 3, "ZeroDivisionError: no such caption", None),
        ("words", 0, "", [1.0]),
        ("words", 1, "", [2.0]),
        ("words", 2, "", [3.0]),
        ("words", 3, "", [1.0]),
    ]
    rule = "BadScores: metric 'out-of-bounds' declares bounds [0.0, 1.0]"
    assert [row[2].partition(", but")[0] for row in scored if row[0] == "out-of-bounds"] == [rule] * 4


def test_statistics_come_along():
    (result,) = ChunkScorer({"recall": Recall()})(make_jobs(("recall",))[1])

    assert result.statistics.tolist() == [[2.0, 2.0]]
    assert result.values.tolist() == [1.0]
    assert result.seconds > 0


def test_jobs_are_taken_only_as_fast_as_they_are_scored():
    taken = []

    def make():
        for job in make_jobs(("words",)):
            taken.append(job.index)
            yield job

    results = score_jobs(make(), metrics={"words": Words()}, n_jobs=4, processes=1)
    next(results)

    assert taken == [0]


def test_serial_executor_keeps_the_error():
    with pytest.raises(ZeroDivisionError):
        SerialExecutor().submit(lambda: 1 / 0).result()


def test_a_worker_that_dies_is_an_error():
    with pytest.raises(BrokenExecutor):
        list(score_jobs(make_jobs(("exits",)), metrics={"exits": Exits()}, n_jobs=4, processes=2))


PROGRAM = """
import os, sys, time
from metrics_plugins.api import Batch
from studies.scoring.workers import ChunkJob, score_jobs
from tests.studies.scoring.test_workers import Sleeps

if __name__ == "__main__":
    jobs = [ChunkJob(n, Batch.make(["key"], candidates=["caption"]), ("sleeps",)) for n in range(4)]
    list(score_jobs(jobs, metrics={"sleeps": Sleeps()}, n_jobs=4, processes=2))
"""


class Sleeps(Metric):
    """Says which process it is in, and never ends."""

    info: ClassVar[MetricInfo] = make_info("sleeps")

    def score(self, batch: Batch) -> Scores:
        sys.stdout.write(f"{os.getpid()}\n")
        sys.stdout.flush()
        time.sleep(600)
        return Scores.make(batch.keys, np.zeros(len(batch)))


def test_workers_die_with_a_killed_parent(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True) as parent:
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        parent.kill()
        parent.wait()

    deadline = time.monotonic() + 20
    while any(is_running(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert [is_running(worker) for worker in workers] == [False, False]


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
