"""Tests with a real Dask scheduler and workers: equal bytes, and what happens when a part of the cluster ends."""

import gc
import time

import pytest

from benchmarks.places import ROOT
from correlation.resampling.parallel import run_tasks
from execution.cluster.connection import connect, read_settings
from execution.errors import ClusterFailed
from execution.factory import make_executor
from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry
from metrics_plugins.runtime.chunks import Chunk
from metrics_plugins.runtime.executors import score_chunks
from tests.correlation.resampling.test_parallel import Adding
from tests.execution.clusters import run_cluster
from tests.execution.metrics import Kills, Marks
from tests.metrics_plugins.api.examples import Words

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

N_CHUNKS = 24


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    (tmp_path / "cluster").mkdir()
    with run_cluster(tmp_path / "cluster") as running:
        monkeypatch.setenv("ACCORDANCE_EXECUTOR", "dask")
        monkeypatch.setenv("ACCORDANCE_DASK", running.address)
        yield running


@pytest.fixture(scope="module")
def lasting_cluster(tmp_path_factory):
    with run_cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture
def shared_cluster(lasting_cluster, monkeypatch):
    """The cluster of tests that end no part of it."""
    monkeypatch.setenv("ACCORDANCE_EXECUTOR", "dask")
    monkeypatch.setenv("ACCORDANCE_DASK", lasting_cluster.address)
    return lasting_cluster


@pytest.fixture
def marks(tmp_path):
    folder = tmp_path / "marks"
    folder.mkdir()
    return folder


def make_chunks(names, *, n_chunks=N_CHUNKS):
    for index in range(n_chunks):
        keys = [f"{index}", f"{index}b"]
        captions = ["a dog runs" + "s" * index, "cats \udc80"]
        yield Chunk(index, Batch.make(keys, candidates=captions, references=[["a dog"], []]), names, is_part=True)


def score(metrics, *, names=None, during=None, kind="dask"):
    """Return (metric, chunk) -> bytes of scores or the error; `during` is called after the first result."""
    found = {}
    with make_executor(kind) as executor:
        chunks = make_chunks(names or tuple(metrics))
        for result in score_chunks(chunks, metrics=metrics, executor=executor, most_waiting=4):
            key = (result.metric, result.index)
            assert key not in found
            found[key] = result.error or result.values.tobytes()
            if during:
                during, call = None, during
                call()
    return found


def count_calls(dask_scheduler):
    return len(dask_scheduler.tasks)


def score_for(metrics, *, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        score(metrics)


def test_scores_are_equal_to_those_of_this_process(shared_cluster):
    registry = load_registry()
    metrics = {name: registry.build(name) for name in ("bleu-4", "rouge-l", "length")}

    found = score(metrics)

    assert found == score(metrics, kind="inline")
    assert len(found) == 3 * N_CHUNKS


def test_results_that_have_arrived_are_dropped_by_the_cluster(shared_cluster):
    gc.disable()
    try:
        score({"words": Words()})
        client = connect(read_settings()).client
        deadline = time.monotonic() + 10
        while (n_calls := client.run_on_scheduler(count_calls)) and time.monotonic() < deadline:
            time.sleep(0.1)
    finally:
        gc.enable()

    assert n_calls == 0


def test_tasks_of_resampling_run_on_workers_in_order(shared_cluster):
    results = list(run_tasks(Adding(10), range(20)))

    assert [value for value, _ in results] == list(range(10, 30))
    assert {process for _, process in results} <= {shared_cluster.find_worker_process(number) for number in (0, 1)}


def test_a_worker_that_is_killed_loses_nothing(cluster, marks):
    metrics = {"marks": Marks(marks), "words": Words()}

    found = score(metrics, during=lambda: cluster.kill_worker_process(0))

    assert found == score({"marks": Marks(marks, seconds=0), "words": Words()}, kind="inline")


def test_all_workers_that_are_killed_at_once_lose_nothing(cluster, marks):
    metrics = {"marks": Marks(marks), "words": Words()}

    found = score(metrics, during=lambda: [cluster.kill_worker_process(number) for number in (0, 1)])

    assert found == score({"marks": Marks(marks, seconds=0), "words": Words()}, kind="inline")


def test_after_a_restart_of_the_scheduler_each_chunk_is_still_given_once(cluster, marks):
    def restart():
        cluster.kill_scheduler()
        cluster.start_scheduler()
        # Workers end with their scheduler; a service manager starts them again.
        for number in range(2):
            cluster.start_worker(f"again-{number}")

    found = score({"marks": Marks(marks)}, during=restart)

    assert found == score({"marks": Marks(marks, seconds=0)}, kind="inline")


def test_a_scheduler_that_does_not_come_back_stops_the_work_with_the_reason(cluster, marks, monkeypatch):
    # Both workers have started.
    score({"words": Words()})
    monkeypatch.setenv("ACCORDANCE_DASK_WAIT", "3")

    with pytest.raises(ClusterFailed, match=rf"the cluster at {cluster.address}: .* for 3 seconds"):
        score({"marks": Marks(marks)}, during=cluster.kill_scheduler)


def test_a_metric_that_ends_its_workers_is_given_up_after_three_and_the_others_go_on(cluster, marks):
    metrics = {"words": Words(), "kills": Kills(marks), "marks": Marks(marks, seconds=0)}

    found = score(metrics)

    expected = score({"words": Words(), "marks": Marks(marks, seconds=0)}, kind="inline")
    assert {key: value for key, value in found.items() if key[0] != "kills"} == expected
    (given_up,) = [value for key, value in found.items() if key[0] == "kills"]
    assert given_up.startswith("given up: 3 worker processes ended while they ran it, the last of them tcp://127.0.0.1")


def test_a_worker_with_another_version_is_refused_by_name(cluster, tmp_path):
    package = tmp_path / "other" / "rapidfuzz-0.0.1.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: rapidfuzz\nVersion: 0.0.1\n")
    score({"words": Words()})
    cluster.start_worker("stranger", PYTHONPATH=f"{package.parent}:{ROOT}")

    with pytest.raises(
        ClusterFailed, match=r"worker stranger at tcp://\S+ differs: rapidfuzz is 0\.0\.1, here "
    ) as told:
        score_for({"words": Words()}, seconds=60)

    assert "worker-0" not in str(told.value)


def test_work_for_a_gpu_goes_only_to_workers_that_offer_one(cluster, marks, monkeypatch):
    monkeypatch.setenv("ACCORDANCE_DASK_WAIT", "1")
    with pytest.raises(ClusterFailed, match=r"it has no workers with a GPU \(`--resources GPU=1`\), for 1 seconds"):
        make_executor("dask", device="cuda")

    monkeypatch.setenv("ACCORDANCE_DASK_WAIT", "30")
    cluster.start_worker("lane", "--resources", "GPU=1")
    with make_executor("dask", device="cuda") as executor:
        results = list(score_chunks(make_chunks(("marks",)), metrics={"marks": Marks(marks)}, executor=executor))

    assert executor.n_workers == 1
    assert len(results) == N_CHUNKS
    assert {path.name.split("-")[1] for path in marks.iterdir()} == {str(cluster.find_worker_process(2))}
