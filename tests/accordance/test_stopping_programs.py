"""Tests that the programs which plugins start end with a real command: by Ctrl-C, SIGTERM or SIGKILL, in each form."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.accordance.test_cli import place_data
from tests.running_processes import is_running, start_module, wait_until_gone
from tests.started_programs import KINDS, QUICK, find_programs, list_programs, write_plugin

pytestmark = pytest.mark.slow

CAPTIONS = [QUICK, "a man and a dog", "two boats"]
IN_WORKERS = ("--workers", "2", "--rows-per-partition", "1")
MOST_SECONDS = 120.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pq.write_table(pa.table({"image_id": ["a", "b", "c"], "caption": CAPTIONS}), tmp_path / "captions.parquet")
    return tmp_path


@contextmanager
def start(*options: str, kinds: tuple[str, ...], folder: Path) -> Iterator[subprocess.Popen]:
    """Start a command in a session of its own, and give it when all programs of its plugin run."""
    plugin = write_plugin(folder, kinds=kinds)
    files = ("--candidates", "captions.parquet", "--references", "captions.parquet", "--plugin", plugin.name)
    running = start_module(
        "accordance", "score", *files, "--metrics", "starts", "--output", "scores", *options,
        folder=folder, environment=place_data(folder),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    n_each = 2 if options == IN_WORKERS else 1
    deadline = time.monotonic() + MOST_SECONDS
    try:
        while not all(len(list_programs(folder)[kind]) == n_each for kind in kinds):
            assert running.poll() is None, running.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield running
    finally:
        running.kill()
        running.communicate()
        for pid in filter(is_running, find_programs(folder)):
            os.kill(pid, signal.SIGKILL)


KEPT = "\nstopped: complete partitions are kept, and the same command computes only the others\n"


@pytest.mark.parametrize("to_all", [True, False], ids=["all", "parent"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_programs_of_workers_end(number: signal.Signals, code: int, to_all: bool, folder: Path) -> None:
    with start(*IN_WORKERS, kinds=KINDS, folder=folder) as running:
        (os.killpg if to_all else os.kill)(running.pid, number)
        printed, _ = running.communicate(timeout=MOST_SECONDS)

        assert wait_until_gone(find_programs(folder)) == []
    assert running.returncode == code
    assert printed.endswith(KEPT if code > 0 else "")
    assert "Traceback" not in printed


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_programs_of_a_command_that_scores_in_its_own_process_end(
    number: signal.Signals, code: int, folder: Path
) -> None:
    with start("--workers", "1", kinds=("adapted", "run"), folder=folder) as running:
        running.send_signal(number)
        printed, _ = running.communicate(timeout=MOST_SECONDS)

        assert wait_until_gone(find_programs(folder)) == []
    assert running.returncode == code
    assert printed.endswith(KEPT)
    assert "Traceback" not in printed
