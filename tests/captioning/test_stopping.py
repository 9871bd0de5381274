"""Tests of `python -m captioning` that is stopped: one line, the exit code of the signal, and only complete files."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

from captioning.cli import main
from tests.running_processes import list_workers, start_module, wait_until_gone

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 120.0
MANY = ("--instances", "2000000")
ORIGINAL = ("worlds", "make", "existential-oneshape", "--instances", "20", "--layout", "original")
SIGNALS = pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a command that is not stopped."""
    folder = tmp_path_factory.mktemp("whole")
    assert main([*ORIGINAL, "--out", str(folder)]) == 0
    return folder


@contextmanager
def start(*arguments: str | Path) -> Iterator["subprocess.Popen[str]"]:
    printed = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    running = start_module("captioning", *arguments, folder=ROOT, environment={}, stdin=subprocess.DEVNULL, **printed)
    try:
        yield running
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


def wait_for_files(folder: Path, pattern: str, running: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + MOST_SECONDS
    while not list(folder.glob(pattern)):
        assert running.poll() is None, running.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def stop(running: "subprocess.Popen[str]", number: signal.Signals) -> str:
    """Send a signal as a terminal does, to the process group; return all that was printed."""
    os.killpg(running.pid, number)
    return running.communicate(timeout=MOST_SECONDS)[0]


@SIGNALS
def test_stopped_making_keeps_complete_shards(number: signal.Signals, code: int, tmp_path: Path) -> None:
    with start("worlds", "make", "existential-oneshape", *MANY, "--processes", "2", "--out", tmp_path) as running:
        wait_for_files(tmp_path, "*.npz", running)
        workers = list_workers(running.pid)
        printed = stop(running, number)

    assert (len(workers), wait_until_gone(workers)) == (2, [])
    assert (running.returncode, printed) == (
        code,
        "\nstopped: complete shards are kept, and the same command makes only the others\n",
    )
    assert {path.suffix for path in tmp_path.iterdir()} <= {".json", ".jsonl", ".npz"}
    assert all(np.load(path)["images"].shape == (1000, 64, 64, 3) for path in tmp_path.glob("*.npz"))


@SIGNALS
def test_stopped_writing_in_the_original_layout_leaves_complete_files(
    number: signal.Signals, code: int, whole: Path, tmp_path: Path
) -> None:
    # Nobody reads from this pipe: the command waits there until it is stopped.
    os.mkfifo(tmp_path / "world-10.png")
    with start(*ORIGINAL, "--out", tmp_path) as running:
        wait_for_files(tmp_path, "world-9.png", running)
        printed = stop(running, number)

    assert (running.returncode, printed) == (code, "\nstopped: files that were written are complete\n")
    (tmp_path / "world-10.png").unlink()
    assert {path.name for path in tmp_path.glob("*.png")} == {f"world-{index}.png" for index in range(10)}
    assert all(path.read_bytes() == (whole / path.name).read_bytes() for path in tmp_path.iterdir())


def test_a_worker_that_is_killed_ends_the_command_with_the_reason(tmp_path: Path) -> None:
    with start("worlds", "make", "existential-oneshape", *MANY, "--processes", "2", "--out", tmp_path) as running:
        wait_for_files(tmp_path, "*.npz", running)
        os.kill(list_workers(running.pid)[0], signal.SIGKILL)
        printed = running.communicate(timeout=MOST_SECONDS)[0]

    assert running.returncode == 1
    (line,) = printed.splitlines()
    assert line.startswith("error: the command ended before all was done: A process in the process pool was")
    assert line.endswith("; complete shards are kept, and the same command makes only the others")
