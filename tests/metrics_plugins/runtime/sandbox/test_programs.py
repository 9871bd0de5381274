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
from tests.started_programs import KINDS, find_programs, list_programs, write_plugin

ONE_EACH = dict.fromkeys(KINDS, 1)
BATCH = Batch.make(["key"], candidates=["caption"], references=[["reference"]])
SERVER = """
import sys, time
from pathlib import Path
from tests.metrics_plugins.runtime.sandbox.test_programs import score_by_programs

score_by_programs(Path(sys.argv[1]), seconds=600.0)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_plugin(tmp_path)
    return tmp_path


def score_by_programs(folder: Path, *, seconds: float) -> None:
    with SandboxProcess(SandboxLimits(seconds=60.0)) as process:
        assert process.ask("load", **PluginChoice(folder=folder).to_fields()).error == ""
        assert process.ask("prepare", metric="starts").error == ""
        process.ask("batch", blob=pickle.dumps(BATCH))
        process.ask("score", metric="starts", seconds=seconds)


def count_programs(folder: Path) -> dict[str, int]:
    return {kind: len(pids) for kind, pids in list_programs(folder).items()}


def test_programs_end_with_a_plugin_that_exceeds_its_time(folder: Path) -> None:
    with pytest.raises(ChildFailed, match="it took longer than the 20 s allowed and was ended"):
        score_by_programs(folder, seconds=20.0)

    assert count_programs(folder) == ONE_EACH
    assert wait_until_gone(find_programs(folder)) == []


def test_programs_end_with_a_server_that_is_killed(folder: Path) -> None:
    root = Path(__file__).resolve().parents[4]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen([sys.executable, "-c", SERVER, str(folder)], env=environment) as server:
        while count_programs(folder) != ONE_EACH:
            assert server.poll() is None
            time.sleep(0.05)
        assert all(map(is_running, find_programs(folder)))
        server.kill()
        server.wait()

        assert wait_until_gone(find_programs(folder)) == []
