"""Tests of Ctrl-Z: real commands whose workers stop with them, continue with them, and end with them."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.accordance.test_cli import place_data
from tests.running_processes import is_running, list_workers, read_state, start_module, wait_until_gone

pytestmark = pytest.mark.slow

PLUGIN = """
import subprocess
from pathlib import Path
from metrics_plugins.adapters import adapt_function
from metrics_plugins.api import hookimpl

FOLDER = Path(__file__).parent

def rate(candidate: str, references: tuple[str, ...]) -> float:
    program = subprocess.Popen(["sleep", "600"])
    (FOLDER / f"begun.{program.pid}").touch()
    while not (FOLDER / "go").exists():
        pass
    (FOLDER / f"done.{program.pid}").touch()
    return len(candidate) / 100

Metric = adapt_function(
    rate, id="waits", title="Waits", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)

@hookimpl
def register_metrics():
    return [Metric]
"""
CAPTIONS = ["a dog runs", "a man and a dog", "two boats"]
MOST_SECONDS = 120.0


@contextmanager
def start(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a command in a process group of its own, as shells do, and give it when its two workers compute."""
    (folder / "waiting.py").write_text(PLUGIN)
    pq.write_table(pa.table({"image_id": ["a", "b", "c"], "caption": CAPTIONS}), folder / "captions.parquet")
    files = ("--candidates", "captions.parquet", "--references", "captions.parquet", "--plugin", "waiting.py")
    options = ("--metrics", "waits", "--output", "scores", "--workers", "2", "--rows-per-partition", "1")
    running = start_module(
        "accordance", "score", *files, *options, folder=folder, environment=place_data(folder),
        start_new_session=False, process_group=0,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    try:
        wait_until(lambda: len(list(folder.glob("begun.*"))) == 2, running)
        yield running
    finally:
        running.kill()
        running.communicate()


def wait_until(is_so: Callable[[], bool], running: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while not is_so():
        assert running.poll() is None, running.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def pause(running: "subprocess.Popen[str]") -> list[int]:
    """Send Ctrl-Z as a terminal does, wait until the command and its workers are stopped, and return the workers."""
    workers = list_workers(running.pid)
    assert len(workers) == 2
    os.killpg(running.pid, signal.SIGTSTP)
    wait_until(lambda: {read_state(pid) for pid in (running.pid, *workers)} == {"T"}, running)
    return workers


def find_programs(folder: Path) -> list[int]:
    return [int(path.name.partition(".")[2]) for path in folder.glob("begun.*")]


def test_workers_stop_and_continue_with_the_command(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        workers = pause(running)
        # Workers that went on would now see the file and end their calls.
        (tmp_path / "go").touch()
        time.sleep(1.0)
        assert list(tmp_path.glob("done.*")) == []
        assert {read_state(pid) for pid in (running.pid, *workers)} == {"T"}

        os.killpg(running.pid, signal.SIGCONT)
        printed, _ = running.communicate(timeout=MOST_SECONDS)

    assert running.returncode == 0, printed
    table = pq.read_table(tmp_path / "scores")
    assert dict(zip(table["caption"].to_pylist(), table["waits"].to_pylist(), strict=True)) == {
        caption: pytest.approx(len(caption) / 100) for caption in CAPTIONS
    }


def test_workers_stop_again_after_they_have_continued(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        for _ in range(3):
            workers = pause(running)
            os.killpg(running.pid, signal.SIGCONT)
            wait_until(lambda: "T" not in {read_state(pid) for pid in (running.pid, *workers)}, running)  # noqa: B023
        (tmp_path / "go").touch()
        printed, _ = running.communicate(timeout=MOST_SECONDS)

    assert running.returncode == 0, printed


def test_stopped_workers_and_their_programs_end_with_a_command_that_is_told_to_end(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        workers = pause(running)
        # As `kill %1` of a shell.
        os.killpg(running.pid, signal.SIGTERM)
        os.killpg(running.pid, signal.SIGCONT)
        printed, _ = running.communicate(timeout=MOST_SECONDS)

    kept = "complete partitions are kept, and the same command computes only the others"
    assert (running.returncode, printed) == (143, f"\nstopped: {kept}\n")
    assert wait_until_gone([*workers, *find_programs(tmp_path)]) == []


def test_stopped_workers_and_their_programs_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    with start(tmp_path) as running:
        workers = pause(running)
        programs = find_programs(tmp_path)
        assert len(programs) == 2
        assert all(map(is_running, programs))
        running.kill()
        running.wait()

        assert wait_until_gone([*workers, *programs]) == []
