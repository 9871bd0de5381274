"""Tests of the exit codes of commands that are stopped."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.running_processes import start_module

ROOT = Path(__file__).resolve().parents[2]
MODULE = """
import os, signal, sys
from execution.stopping import exiting_when_stopped

number = signal.Signals[sys.argv[1]]
# Ignored where the tests run in the background of a shell.
signal.signal(signal.SIGINT, signal.default_int_handler)
with exiting_when_stopped(kept="what was complete is kept"):
    exec("os.kill(os.getpid(), number); [None for _ in range(10_000_000)]")
"""
AGAIN = """
import os, signal, time
from execution.stopping import Terminated, raise_at_sigterm

raise_at_sigterm()
for pause in (0.0, 1.5):
    time.sleep(pause)
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)
    except Terminated:
        os.kill(os.getpid(), signal.SIGTERM)
        print("stopped", flush=True)
"""

# Imported by Python itself when it starts.
WAITING = """
import os, sys, time
from pathlib import Path

class Waiting:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["WAITS_AT"]:
            Path("begun").touch()
            time.sleep(600)

sys.meta_path.insert(0, Waiting())
"""
IMPORTED = {
    "accordance": "accordance.score_table",
    "captioning": "captioning.cli",
    "metrics_plugins": "metrics_plugins.cli.main",
}


def run(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "stopped_module.py").write_text(program)
    return subprocess.run(
        [sys.executable, "-m", "stopped_module", *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_exit_code_is_the_same_where_a_string_was_executed(name: str, code: int, tmp_path: Path) -> None:
    done = run(MODULE, name, folder=tmp_path)

    assert (done.returncode, done.stderr) == (code, "\nstopped: what was complete is kept\n")


def test_sigterm_stops_again_after_a_second_and_not_before(tmp_path: Path) -> None:
    done = run(AGAIN, folder=tmp_path)

    assert (done.returncode, done.stdout) == (0, "stopped\nstopped\n")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("module", IMPORTED)
def test_command_that_is_stopped_while_it_imports_modules_ends_with_a_line(
    module: str, number: signal.Signals, code: int, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(WAITING)
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]), "WAITS_AT": IMPORTED[module]}
    arguments = ("score", "captions.json", "--table") if module == "accordance" else ("list",)
    printed = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}

    with start_module(module, *arguments, folder=tmp_path, environment=environment, **printed) as running:
        try:
            while not (tmp_path / "begun").exists():
                assert running.poll() is None, running.communicate()[0]
                time.sleep(0.02)
            running.send_signal(number)
            assert running.communicate(timeout=60)[0] == "\nstopped: nothing was written\n"
        finally:
            running.kill()

    assert running.returncode == code
