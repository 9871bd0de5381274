"""Tests that the programs which plugins start end with a real command: by Ctrl-C, SIGTERM or SIGKILL, in each form."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.accordance.test_cli import place_data
from tests.running_processes import is_running, wait_until_gone

pytestmark = pytest.mark.slow

PLUGIN = """
import contextlib, os, subprocess, sys, threading, time
from metrics_plugins.adapters import adapt_function
from metrics_plugins.adapters.programs import Program
from metrics_plugins.api import hookimpl

KINDS = os.environ["KINDS"].split()
SLEEPS = "import os, time; open(f'{os.getpid()}.%s.pid', 'x').close(); time.sleep(600)"

def list_command(kind):
    return [sys.executable, "-c", SLEEPS % kind]

def ask_adapted():
    # The thread may see that its program was killed before Python has ended: what it would print is its own failure.
    with contextlib.suppress(Exception):
        Program(list_command("adapted")).ask("line", end=time.monotonic() + 900)

def rate(candidate: str, references: tuple[str, ...]) -> float:
    if candidate != "a dog runs":
        if "left" in KINDS:
            subprocess.Popen(list_command("left"))
        if "adapted" in KINDS:
            threading.Thread(target=ask_adapted, daemon=True).start()
        subprocess.run(list_command("run"))
    return 0.5

Metric = adapt_function(
    rate, id="waits", title="Waits", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)

@hookimpl
def register_metrics():
    return [Metric]
"""
CAPTIONS = ["a dog runs", "a man and a dog", "two boats"]
IN_WORKERS = ("--workers", "2", "--rows-per-partition", "1")
MOST_SECONDS = 120.0
ALL = ("adapted", "left", "run")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "starting.py").write_text(PLUGIN)
    pq.write_table(pa.table({"image_id": ["a", "b", "c"], "caption": CAPTIONS}), tmp_path / "captions.parquet")
    return tmp_path


def list_programs(folder: Path) -> dict[str, list[int]]:
    """Return the process ids of the programs that have started, by kind."""
    names = [path.name.split(".") for path in folder.glob("*.pid")]
    return {kind: [int(pid) for pid, which, _ in names if which == kind] for kind in ALL}


@contextmanager
def start(*options: str, kinds: tuple[str, ...], folder: Path) -> Iterator[subprocess.Popen]:
    """Start a command in a session of its own, and give it when all programs of its plugin run."""
    files = ("--candidates", "captions.parquet", "--references", "captions.parquet", "--plugin", "starting.py")
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    running = subprocess.Popen(
        # Processes in the background of a shell ignore Ctrl-C, and so would those that they start.
        [sys.executable, "-c", "import signal, os, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
         "os.execv(sys.executable, [sys.executable, '-m', 'accordance', *sys.argv[1:]])",
         "score", *files, "--metrics", "waits", "--output", "scores", *options],
        cwd=folder, env={**inherited, **place_data(folder), "KINDS": " ".join(kinds)}, start_new_session=True,
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


def find_programs(folder: Path) -> list[int]:
    return [pid for pids in list_programs(folder).values() for pid in pids]


KEPT = "\nstopped: complete partitions are kept, and the same command computes only the others\n"


@pytest.mark.parametrize("to_all", [True, False], ids=["all", "parent"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_programs_of_workers_end(number: signal.Signals, code: int, to_all: bool, folder: Path) -> None:
    with start(*IN_WORKERS, kinds=ALL, folder=folder) as running:
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
