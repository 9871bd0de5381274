"""Tests of Ctrl-C: real commands that are stopped while they compute, on a terminal and with their output in pipes."""

import os
import pty
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.accordance.running import run_accordance
from tests.accordance.test_cli import place_data
from tests.running_processes import list_workers, start_module
from tests.studies.management.commands.processes import make_environment, migrate, run_all

pytestmark = pytest.mark.slow

PLUGIN = """
import time
from pathlib import Path
from metrics_plugins.adapters import adapt_function
from metrics_plugins.api import hookimpl

def rate(candidate: str, references: tuple[str, ...]) -> float:
    if candidate != "a dog runs":
        Path("begun").touch()
        time.sleep(600)
    return 0.5

Metric = adapt_function(
    rate, id="waits", title="Waits", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)

@hookimpl
def register_metrics():
    return [Metric]
"""
RATINGS = """image,candidate,value,rater,reference
beach,a dog runs,5,ann,a dog
park,a man and a dog,2,ann,a man
lake,two boats,4,ann,a boat
"""
MOST_SECONDS = 60.0
"""Far less than what the commands take that are not stopped."""
TABLE = ("score", "--candidates", "captions.parquet", "--references", "captions.parquet", "--plugin", "waiting.py")
TABLE_OPTIONS = ("--metrics", "waits", "--output", "scores", "--workers", "2", "--rows-per-partition", "1")
MULTIVERSE = ("multiverse", "s", "--out", "multiverse.svg")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study of three captions, and a plugin that never scores the second and the third."""
    folder = tmp_path_factory.mktemp("study")
    (folder / "ratings.csv").write_text(RATINGS)
    plugins = folder / "var" / "plugins"
    plugins.mkdir(parents=True)
    (plugins / "waiting_for_ever.py").write_text(PLUGIN)
    (folder / "waiting.py").write_text(PLUGIN)
    captions = ["a dog runs", "a man and a dog", "two boats"]
    pq.write_table(pa.table({"image_id": ["a", "b", "c"], "caption": captions}), folder / "captions.parquet")
    environment = {**make_environment(folder / "var"), **place_data(folder)}
    migrate(environment)
    source = ("import_data", "table", "--from", str(folder / "ratings.csv"), "--study", "s", "--scale", "1-5")
    run_all(source, ("score", "s", "--metrics", "length"), environment=environment)
    return folder


@contextmanager
def start(command: tuple[str, ...], *, folder: Path, on_terminal: bool) -> Iterator[tuple[subprocess.Popen, int]]:
    """Start a command in a session of its own, and give it with the descriptor of what it prints."""
    reader, writer = pty.openpty() if on_terminal else os.pipe()
    stdin = writer if on_terminal else subprocess.DEVNULL
    running = start_module(
        "accordance",
        *command,
        folder=folder,
        environment=place_data(folder),
        stdin=stdin,
        stdout=writer,
        stderr=writer,
    )
    os.close(writer)
    try:
        yield running, reader
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        os.close(reader)


def stop(running: subprocess.Popen, reader: int) -> str:
    """Send Ctrl-C to all processes of the command, as a terminal does; return what it has printed when it has ended."""
    stopped = time.monotonic()
    os.killpg(running.pid, signal.SIGINT)
    printed = b""
    # A terminal that nobody has open any more is an error; a pipe is just empty.
    with suppress(OSError):
        while part := os.read(reader, 65536):
            printed += part
    running.wait(timeout=MOST_SECONDS)
    assert time.monotonic() - stopped < MOST_SECONDS
    return printed.decode().replace("\r\n", "\n")


def list_session(leader: int) -> list[int]:
    """Return the processes of a session that have not ended."""
    found = subprocess.run(["ps", "-o", "pid=,stat=", "-s", str(leader)], capture_output=True, text=True, check=False)
    rows = [line.split() for line in found.stdout.splitlines()]
    return [int(pid) for pid, state in rows if not state.startswith("Z")]


def read_seconds(pid: int) -> float:
    """Return the processor time of a process in user mode, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def wait_until(is_so: object, running: subprocess.Popen) -> None:
    started = time.monotonic()
    while not is_so():
        assert running.poll() is None
        assert time.monotonic() - started < 2 * MOST_SECONDS
        time.sleep(0.02)


def check_end(running: subprocess.Popen, printed: str, *, kept: str) -> None:
    assert (running.returncode, "Traceback" in printed, "Exception" in printed) == (130, False, False), printed
    assert printed.splitlines()[-1] == f"stopped: {kept}"
    # The process that multiprocessing starts for its bookkeeping ends soon after.
    for _ in range(50):
        if not list_session(running.pid):
            return
        time.sleep(0.1)
    assert list_session(running.pid) == []


@pytest.mark.parametrize("on_terminal", [True, False])
@pytest.mark.parametrize(
    "command", [("score", "s", "--metrics", "waits", "--chunk-size", "1"), (*TABLE, *TABLE_OPTIONS)]
)
def test_stopped_scoring_keeps_what_was_complete(command: tuple[str, ...], on_terminal: bool, folder: Path) -> None:
    (folder / "begun").unlink(missing_ok=True)
    what = "partitions" if "--output" in command else "scores"

    with start(command, folder=folder, on_terminal=on_terminal) as (running, reader):
        wait_until((folder / "begun").exists, running)
        printed = stop(running, reader)
        check_end(running, printed, kept=f"complete {what} are kept, and the same command computes only the others")

    left = [path.name for path in folder.rglob("*") if path.suffix in (".part", ".tmp") or ".part" in path.name]
    assert left == []


@pytest.mark.parametrize("on_terminal", [True, False])
def test_stopped_resampling_writes_nothing(on_terminal: bool, folder: Path) -> None:
    many = ("--ci", "images", "--resamples", "3000000", "--processes", "2", "--out", "table.csv")

    with start(("correlate", "s", "--metrics", "length", *many), folder=folder, on_terminal=on_terminal) as (
        running,
        reader,
    ):
        # Two workers, each in a session of its own.
        wait_until(lambda: len(list_workers(running.pid)) >= 2, running)
        printed = stop(running, reader)
        check_end(running, printed, kept="nothing was written")

    assert [path.name for path in folder.iterdir() if "table" in path.name] == []


@pytest.fixture(scope="module")
def seconds_of_multiverse(folder: Path) -> float:
    """The processor time of a whole multiverse in user mode, in seconds, once its modules are compiled."""
    for _ in range(2):
        before = os.times().children_user
        assert run_accordance(*MULTIVERSE, folder=folder, **place_data(folder)).returncode == 0
    (folder / "multiverse.svg").unlink()
    return os.times().children_user - before


@pytest.mark.parametrize("share", [0.2, 0.3, 0.4])
def test_stopped_multiverse_writes_nothing(share: float, folder: Path, seconds_of_multiverse: float) -> None:
    with start(MULTIVERSE, folder=folder, on_terminal=False) as (running, reader):
        wait_until(lambda: read_seconds(running.pid) >= share * seconds_of_multiverse, running)
        printed = stop(running, reader)
        check_end(running, printed, kept="nothing was written")

    assert [path.name for path in folder.iterdir() if "multiverse" in path.name] == []
