"""Tests of `score --output` on a real Dask cluster."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from metrics_plugins.large_tables.storage import find_storage
from tests.execution.clusters import RunningCluster, run_cluster
from tests.metrics_plugins.cli.large_tables.commands import kill_command, list_arguments
from tests.metrics_plugins.cli.running import run_program

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

PLUGIN = """
import os

from metrics_plugins.api import Batch, Input, Level, Metric, MetricInfo, Scores, hookimpl


class ProcessNumber(Metric):
    info = MetricInfo(
        id="process-number", title="Process", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, float("inf")), version="1", citation="none",
    )

    def score(self, batch: Batch) -> Scores:
        return Scores.make(batch.keys, [os.getpid()] * len(batch))


@hookimpl
def register_metrics():
    return [ProcessNumber]
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningCluster]:
    with run_cluster(tmp_path_factory.mktemp("cluster")) as running, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACCORDANCE_DASK", running.address)
        yield running


def test_a_command_on_a_cluster_that_was_killed_is_continued_with_the_bytes_of_one_process(
    cluster: RunningCluster, tmp_path: Path
) -> None:
    arguments = list_arguments(tmp_path, "--rows-per-partition", "10")
    assert run_program(*arguments, folder=tmp_path).returncode == 0
    remote = [*arguments, "--output", "remote"]
    remote_folder = tmp_path / "remote"

    killed = kill_command(
        remote, find_storage(str(remote_folder)), folder=tmp_path, n_partitions=3, ACCORDANCE_EXECUTOR="dask"
    )
    continued = run_program(*remote, folder=tmp_path, ACCORDANCE_EXECUTOR="dask")

    n_kept, n_partitions = len(killed["partitions"]), len(list((tmp_path / "out").glob("part-*")))
    assert 3 <= n_kept < n_partitions
    assert continued.stderr.startswith(f"remote: {n_partitions - n_kept} partitions written, {n_kept} kept\n")
    expected = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert {path.name: path.read_bytes() for path in remote_folder.iterdir()} == expected


def test_the_workers_of_the_cluster_score(cluster: RunningCluster, tmp_path: Path) -> None:
    (tmp_path / "process_number.py").write_text(PLUGIN)
    arguments = list_arguments(tmp_path, "--metrics", "process-number", "--plugin", "process_number.py")

    result = run_program(*arguments, "--executor", "dask", "--rows-per-partition", "10", folder=tmp_path)

    assert result.returncode == 0, result.stderr
    parts = [pq.read_table(path, columns=["process-number"]) for path in (tmp_path / "out").glob("part-*")]
    found = {number for part in parts for number in part["process-number"].to_pylist()}
    # One of them may have started too late.
    assert found
    assert found <= {cluster.find_worker_process(number) for number in (0, 1)}
