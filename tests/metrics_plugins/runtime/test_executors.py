import inspect
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from execution import factory
from execution.factory import InlineExecutor, make_executor
from metrics_plugins.api import Batch, Metric, MetricInfo, Scores
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.chunks import Chunk, score_chunk
from metrics_plugins.runtime.executors import SharedMetrics, score_chunks
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, SessionWatch, make_backend
from tests.metrics_plugins.api.examples import Recall, Words, make_info
from tests.running_processes import is_running

ROOT = Path(__file__).resolve().parents[3]


class Fails(Metric):
    """Raises on a caption that says so."""

    info: ClassVar[MetricInfo] = make_info("fails")

    def score(self, batch: Batch) -> Scores:
        if "fail" in batch.candidates:
            raise ZeroDivisionError("no such caption")
        return Scores.make(batch.keys, [1.0] * len(batch))


RAISED = inspect.getsourcelines(Fails.score)[1] + 2
LOCATION = f'test_executors.py, line {RAISED}, in score: raise ZeroDivisionError("no such caption")'


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


def make_chunks(names, *, captions=("one", "two words", "three words here", "fail")):
    return [
        Chunk(index, Batch.make([str(index)], candidates=[caption], references=[["two words"]]), names)
        for index, caption in enumerate(captions)
    ]


def score(names, metrics, *, kind):
    with make_executor(kind, workers=2) as executor:
        results = list(score_chunks(make_chunks(names), metrics=metrics, executor=executor, most_waiting=2))
    return sorted(
        (result.metric, result.index, result.error, None if result.values is None else result.values.tolist())
        for result in results
    )


@pytest.mark.parametrize("kind", ["inline", "processes"])
def test_a_broken_metric_does_not_take_others_down(kind):
    metrics = {"words": Words(), "fails": Fails(), "out-of-bounds": OutOfBounds()}

    scored = score(("words", "fails", "out-of-bounds"), metrics, kind=kind)

    assert [row for row in scored if row[0] != "out-of-bounds"] == [
        ("fails", 0, "", [1.0]),
        ("fails", 1, "", [1.0]),
        ("fails", 2, "", [1.0]),
        ("fails", 3, f"ZeroDivisionError: no such caption\n  at {LOCATION}", None),
        ("words", 0, "", [1.0]),
        ("words", 1, "", [2.0]),
        ("words", 2, "", [3.0]),
        ("words", 3, "", [1.0]),
    ]
    rule = "metric 'out-of-bounds' declares bounds [0.0, 1.0]"
    assert [row[2].partition(", but")[0] for row in scored if row[0] == "out-of-bounds"] == [rule] * 4


def test_statistics_come_along():
    (result,) = score_chunk({"recall": Recall()}, make_chunks(("recall",))[1])

    assert result.statistics.tolist() == [[2.0, 2.0]]
    assert result.values.tolist() == [1.0]
    assert result.seconds > 0


def test_chunks_are_taken_only_as_fast_as_they_are_scored():
    taken = []

    def make():
        for chunk in make_chunks(("words",)):
            taken.append(chunk.index)
            yield chunk

    results = score_chunks(make(), metrics={"words": Words()}, executor=make_executor("inline"))
    next(results)

    assert taken == [0]


class Queue(InlineExecutor):
    """Runs the first chunk, and keeps the others waiting; shuts down like the executor of a cluster."""

    def __init__(self):
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future() if self.waiting else super().submit(fn, *args, **kwargs)
        self.waiting.append(future)
        return future

    def shutdown(self, wait=True):
        self.states = [future._state for future in self.waiting]


def test_another_kind_of_executor_is_one_entry_and_what_waits_there_is_cancelled(monkeypatch):
    queue = Queue()
    kinds = {**factory.EXECUTORS, "queue": lambda *_: queue}
    monkeypatch.setattr(factory, "EXECUTORS", kinds)
    backend = make_backend("queue", registry=load_registry(), workers=2)
    (asked,) = [AskedMetric(describe_registration(backend.registry.get("length")))]

    with backend.open([asked], learning=Learning(lambda: None), watch=SessionWatch()) as session:
        session.prepare(asked)
        results = session.score(make_chunks(("length",)), metrics=("length",), n_chunks=4)
        assert next(results).values.tolist() == [1.0]
        results.close()

    assert queue.states == ["FINISHED", "CANCELLED", "CANCELLED", "CANCELLED"]


def test_inline_executor_keeps_the_error():
    with pytest.raises(ZeroDivisionError):
        make_executor("inline").submit(lambda: 1 / 0).result()


def test_a_worker_that_dies_is_an_error():
    with make_executor("processes", workers=2) as executor, pytest.raises(BrokenExecutor):
        list(score_chunks(make_chunks(("exits",)), metrics={"exits": Exits()}, executor=executor))


class Counted(Words):
    """Counts how often it is unpickled in a process."""

    info: ClassVar[MetricInfo] = make_info("counted")
    n_unpickled: ClassVar[int] = 0

    def __setstate__(self, state: dict[str, object]) -> None:
        Counted.n_unpickled += 1

    def __getstate__(self) -> dict[str, object]:
        return {"size": 1}

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [float(Counted.n_unpickled)] * len(batch))


class Sealed(Words):
    """Travels to another process, and cannot be opened there."""

    info: ClassVar[MetricInfo] = make_info("sealed")

    def __reduce__(self) -> tuple[object, ...]:
        return int, ("sealed",)


def test_a_worker_unpickles_a_metric_once_for_all_chunks():
    scored = score(("counted",), {"counted": Counted()}, kind="processes")

    assert [row[3] for row in scored] == [[1.0]] * 4


def test_metrics_that_were_received_can_be_sent_on():
    large = Words()
    large.table = b"x" * 1_000_000

    received = pickle.loads(pickle.dumps(SharedMetrics({"large": large})))  # noqa: S301 - made above

    # A cluster pickles what a worker has received once more.
    assert pickle.loads(pickle.dumps(received))["large"].table == large.table  # noqa: S301
    assert received["large"].table == large.table


def test_a_metric_that_cannot_be_unpickled_does_not_take_others_down():
    scored = score(("sealed", "words"), {"sealed": Sealed(), "words": Words()}, kind="processes")

    assert [row[3] for row in scored if row[0] == "words"] == [[1.0], [2.0], [3.0], [1.0]]
    assert {row[2] for row in scored if row[0] == "sealed"} == {
        "ValueError: invalid literal for int() with base 10: 'sealed'"
    }


def test_an_unknown_kind_of_executor_is_refused():
    with pytest.raises(ValueError, match="must be one of inline, processes, dask, got 'dusk'"):
        make_executor("dusk")


PROGRAM = """
import os, sys, time
from execution.factory import make_executor
from metrics_plugins.api import Batch
from metrics_plugins.runtime.chunks import Chunk
from metrics_plugins.runtime.executors import score_chunks
from tests.metrics_plugins.runtime.test_executors import Sleeps

if __name__ == "__main__":
    chunks = [Chunk(n, Batch.make(["key"], candidates=["caption"]), ("sleeps",)) for n in range(4)]
    executor = make_executor("processes", workers=2)
    list(score_chunks(chunks, metrics={"sleeps": Sleeps()}, executor=executor, most_waiting=4))
"""


class Sleeps(Metric):
    """Says which process it is in, and never ends."""

    info: ClassVar[MetricInfo] = make_info("sleeps")

    def score(self, batch: Batch) -> Scores:
        # What is printed goes to standard error.
        os.write(1, f"{os.getpid()}\n".encode())
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
