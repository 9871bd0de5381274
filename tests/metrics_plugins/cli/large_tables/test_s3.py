"""Tests of `score --output` with tables and scores in a real S3 server."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from metrics_plugins.large_tables.storage import find_storage
from tests.accordance.running import run_accordance
from tests.metrics_plugins.cli.large_tables.commands import kill_command, list_arguments
from tests.metrics_plugins.cli.running import run_program
from tests.metrics_plugins.large_tables.tables import list_candidates
from tests.postgres import find_free_port

pytest.importorskip("s3fs")
pytest.importorskip("moto.server")
pytestmark = pytest.mark.slow

TABLES = "s3://captions/tables"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs during all tests, found by the environment."""
    port = find_free_port()
    address = f"http://127.0.0.1:{port}"
    with (
        (tmp_path_factory.mktemp("s3") / "server.log").open("wb") as log,
        pytest.MonkeyPatch.context() as patch,
    ):
        for name, value in {
            "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            patch.setenv(name, value)
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        running = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_until_open(port)
            yield address
        finally:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


@pytest.fixture
def s3(server: str) -> Iterator[Any]:
    """The file system of the server, which has the empty bucket `captions` and nothing else."""
    import s3fs

    requests.post(f"{server}/moto-api/reset", timeout=60).raise_for_status()
    s3fs.S3FileSystem.clear_instance_cache()
    files = s3fs.S3FileSystem(use_listings_cache=False)
    files.mkdir("captions")
    yield files
    s3fs.S3FileSystem.clear_instance_cache()


def wait_until_open(port: int) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        else:
            return


def test_a_command_on_s3_that_was_killed_is_continued_with_the_bytes_of_local_files(s3: Any, tmp_path: Path) -> None:
    local = list_arguments(tmp_path, "--rows-per-partition", "20")
    assert run_program(*local, folder=tmp_path).returncode == 0
    s3.put(str(tmp_path / "candidates"), "captions/tables/candidates", recursive=True)
    s3.put(str(tmp_path / "references.parquet"), "captions/tables/references.parquet")
    inputs = ["--candidates", f"{TABLES}/candidates", "--references", f"{TABLES}/references.parquet"]
    remote = [*local, *inputs, "--output", "s3://captions/out"]

    killed = kill_command(remote, find_storage("s3://captions/out"), folder=tmp_path, n_partitions=3)
    kept = {each["file"]: s3.info(f"captions/out/{each['file']}")["LastModified"] for each in killed["partitions"]}
    continued = run_program(*remote, folder=tmp_path)

    n_partitions = len(list((tmp_path / "out").glob("part-*")))
    assert 3 <= len(kept) < n_partitions
    assert continued.stderr.startswith(
        f"s3://captions/out: {n_partitions - len(kept)} partitions written, {len(kept)} kept\n"
    )
    assert kept == {name: s3.info(f"captions/out/{name}")["LastModified"] for name in kept}
    expected = {path.name: path.read_bytes() for path in (tmp_path / "out").glob("[!.]*")}
    assert {path.rpartition("/")[2]: s3.cat(path) for path in s3.find("captions/out")} == expected


def test_scores_on_s3_are_correlated_as_those_of_local_files(s3: Any, tmp_path: Path) -> None:
    assert run_program(*list_arguments(tmp_path), folder=tmp_path).returncode == 0
    s3.put(str(tmp_path / "out"), "captions/out", recursive=True)
    columns = list_candidates()
    rows = zip(columns["image_id"], columns["system"], strict=True)
    lines = [f"{image},{system},{image % 5}" for image, system in rows]
    (tmp_path / "judgments.csv").write_text("\n".join(["image_id,system,judgment", *lines]))
    s3.put(str(tmp_path / "judgments.csv"), "captions/judgments.csv")

    local = correlate("out", "judgments.csv", folder=tmp_path)
    remote = correlate("s3://captions/out", "s3://captions/judgments.csv", folder=tmp_path)

    assert "bleu-4" in local
    assert remote == local


def correlate(scores: str, judgments: str, *, folder: Path) -> str:
    choices = ("rows=all", "references=all", "ratings=mean", "measures=item:kendall-b")
    options = ["--protocol", "custom", *(f"--option={choice}" for choice in choices)]
    result = run_accordance("correlate", "--scores", scores, "--judgments", judgments, *options, folder=folder)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_bucket_that_does_not_exist_is_named_and_not_made(s3: Any, tmp_path: Path) -> None:
    result = run_program(*list_arguments(tmp_path), "--output", "s3://captons/out", folder=tmp_path)

    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "error: s3://captons/out/_manifest.json: cannot be written, there is no such bucket or folder\n"
    )
    assert s3.ls("") == ["captions"]
