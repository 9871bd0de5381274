"""Tests of scoring on a real cluster by the command, also when the command is killed."""

import shutil
import time

import pytest

from tests.execution.clusters import run_cluster
from tests.studies.management.commands.processes import make_environment, migrate, run, start
from tests.studies.management.commands.test_score import count_chunks, digest_scores, read_database

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow

ARGUMENTS = ("score", "flickr8k-expert", "--metrics", "bleu-4,cider-d", "--chunk-size", "20")


def test_a_killed_command_resumes_and_the_scores_are_those_of_one_process(tmp_path, data_folder):
    folders = [tmp_path / name for name in ("cluster", "site", "other")]
    for folder in folders[:2]:
        folder.mkdir()
    environment = make_environment(folders[1])
    migrate(environment)
    run("import_data", "flickr8k-expert", "--from", str(data_folder / "flickr8k"), environment=environment)
    shutil.copytree(folders[1], folders[2])
    other = make_environment(folders[2], ACCORDANCE_EXECUTOR="inline")
    run(*ARGUMENTS, environment=other)
    n_chunks = count_chunks(other)

    with run_cluster(folders[0]) as cluster:
        on_cluster = {**environment, "ACCORDANCE_EXECUTOR": "dask", "ACCORDANCE_DASK": cluster.address}
        with start(*ARGUMENTS, environment=on_cluster) as process:
            deadline = time.monotonic() + 240
            while count_chunks(environment) < 30 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            process.kill()
        kept = count_chunks(environment)
        before = read_database(environment, "SELECT id FROM studies_scorechunk ORDER BY id")
        cluster.kill_worker_process(0)

        printed = run(*ARGUMENTS, environment=on_cluster)

    assert 30 <= kept < n_chunks
    computed = [int(line.split()[1]) for line in printed.splitlines() if line.endswith("chunks computed")]
    assert sum(computed) == n_chunks - kept
    assert set(before) < set(read_database(environment, "SELECT id FROM studies_scorechunk"))
    assert digest_scores(environment) == digest_scores(other)
