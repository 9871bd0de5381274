"""Tests of the exit codes of commands that are stopped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULE = """
import os, signal, sys
from execution.stopping import choose_exit, raise_at_sigterm

raise_at_sigterm()
number = signal.Signals[sys.argv[1]]
try:
    exec("os.kill(os.getpid(), number); [None for _ in range(10_000_000)]")
except KeyboardInterrupt as stopped:
    sys.exit(choose_exit(stopped))
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


def run(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "stopped_module.py").write_text(program)
    return subprocess.run(
        [sys.executable, "-m", "stopped_module", *arguments],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_exit_code_is_the_same_where_a_string_was_executed(name: str, code: int, tmp_path: Path) -> None:
    assert run(MODULE, name, folder=tmp_path).returncode == code


def test_sigterm_stops_again_after_a_second_and_not_before(tmp_path: Path) -> None:
    done = run(AGAIN, folder=tmp_path)

    assert (done.returncode, done.stdout) == (0, "stopped\nstopped\n")
