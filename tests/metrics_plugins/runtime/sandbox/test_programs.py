"""Tests that programs of a plugin end with its sandboxed process: at a limit, and when the server is killed."""

import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime.sandbox import ChildFailed, PluginChoice, SandboxLimits, SandboxProcess
from tests.running_processes import is_running, wait_until_gone

PLUGIN = """
import os, subprocess, sys, threading, time
from pathlib import Path
from metrics_plugins.adapters import adapt_function
from metrics_plugins.adapters.programs import Program
from metrics_plugins.api import hookimpl

FOLDER = Path(__file__).parent

def list_command(kind):
    touched = f"open(r'{FOLDER}/{kind}.' + str(os.getpid()), 'x')"
    return [sys.executable, "-c", f"import os, time; {touched}; time.sleep(600)"]

def ask_adapted():
    Program(list_command("adapted")).ask("line", end=time.monotonic() + 900)

def start(candidate: str, references: tuple[str, ...]) -> float:
    subprocess.Popen(list_command("left"))
    threading.Thread(target=ask_adapted, daemon=True).start()
    while len(list(FOLDER.glob("[al]*.*[0-9]"))) < 2:
        time.sleep(0.05)
    subprocess.run(list_command("run"))
    return 0.5

Metric = adapt_function(
    start, id="starts", title="Starts", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)

@hookimpl
def register_metrics():
    return [Metric]
"""
BATCH = Batch.make(["key"], candidates=["caption"], references=[["reference"]])
SERVER = """
import sys, time
from pathlib import Path
from tests.metrics_plugins.runtime.sandbox.test_programs import score_by_programs

score_by_programs(Path(sys.argv[1]), seconds=600.0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "starting.py").write_text(PLUGIN)
    return tmp_path


def score_by_programs(folder: Path, *, seconds: float) -> None:
    with SandboxProcess(SandboxLimits(seconds=60.0)) as process:
        assert process.ask("load", **PluginChoice(folder=folder).to_fields()).error == ""
        assert process.ask("prepare", metric="starts").error == ""
        process.ask("batch", blob=pickle.dumps(BATCH))
        process.ask("score", metric="starts", seconds=seconds)


def find_programs(folder: Path) -> dict[str, int]:
    names = [path.name.partition(".") for path in folder.iterdir()]
    return {kind: int(pid) for kind, _, pid in names if pid.isdigit()}


def test_programs_end_with_a_plugin_that_exceeds_its_time(folder: Path) -> None:
    with pytest.raises(ChildFailed, match="it took longer than the 20 s allowed and was ended"):
        score_by_programs(folder, seconds=20.0)

    programs = find_programs(folder)
    assert sorted(programs) == ["adapted", "left", "run"]
    assert wait_until_gone(list(programs.values())) == []


def test_programs_end_with_a_server_that_is_killed(folder: Path) -> None:
    root = Path(__file__).resolve().parents[4]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen([sys.executable, "-c", SERVER, str(folder)], env=environment) as server:
        while sorted(find_programs(folder)) != ["adapted", "left", "run"]:
            assert server.poll() is None
            time.sleep(0.05)
        assert all(map(is_running, find_programs(folder).values()))
        server.kill()
        server.wait()

        assert wait_until_gone(list(find_programs(folder).values())) == []
