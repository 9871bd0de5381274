"""Tests of plugins that run as another user: the service behind a real socket, and a plugin that tries to escape."""

import json
import os
import pickle
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime.sandbox import ChildFailed, SandboxLimits, SandboxProcess
from metrics_plugins.runtime.sandbox.service import choose_environment
from tests.metrics_plugins.runtime.sandbox.test_process import MEBIBYTE
from tests.parts import require_program
from tests.running_processes import is_running, wait_until_gone

ROOT = Path(__file__).resolve().parents[4]
UNIT = (ROOT / "deploy" / "accordance-plugins@.service").read_text()
OTHER_USER = 65534
SECRET = "planted-secret"
PLUGIN = """
import json, mmap, os, time
from metrics_plugins.api import Input, Level, Metric, MetricInfo, Scores, hookimpl


def attempt(does, path):
    try:
        return does(path)
    except OSError as error:
        return type(error).__name__


def read(path):
    with open(path, "rb") as file:
        return file.read().decode(errors="replace")


def append(path):
    with open(path, "ab"):
        return "written"


class Hostile(Metric):
    info = MetricInfo(
        id="hostile", title="Hostile", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, 100.0), version="1", citation="none",
    )

    @classmethod
    def build(cls, context, *, find: str = "", does: str = ""):
        asked = json.loads(find) if find else {}
        if asked:
            raise RuntimeError(json.dumps({
                "files": {path: attempt(read, path) for path in asked["files"]},
                "written": {path: attempt(append, path) for path in asked["files"]},
                "folders": {path: attempt(os.listdir, path) for path in asked["folders"]},
                "user": os.geteuid(),
                "groups": os.getgroups(),
                "environment": dict(os.environ),
            }))
        made = cls()
        made.does = does
        return made

    def score(self, batch):
        if self.does == "loop":
            while True:
                time.sleep(0.01)
        if self.does == "leave":
            print("no licence", flush=True)
            os._exit(3)
        if self.does == "map":
            held = [mmap.mmap(-1, 64 * 1024 * 1024) for _ in range(16)]
            for each in held:
                each.write(b"x" * len(each))
            time.sleep(60)
        return Scores.make(batch.keys, [float(len(each)) for each in batch.candidates])


@hookimpl
def register_metrics():
    return [Hostile]
"""


@pytest.fixture
def shared():
    """A folder that everybody can look into; those of pytest are of one user."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def plugins(shared):
    """A folder with the plugin."""
    folder = shared / "plugins"
    folder.mkdir()
    (folder / "hostile_plugin.py").write_text(PLUGIN)
    return folder


@pytest.fixture
def service(tmp_path):
    """The socket behind which the unit's program is started, of another user and without its other protections."""
    if os.geteuid() != 0:
        pytest.skip("only root may start a process of another user")
    listen, setpriv = require_program("systemd-socket-activate"), require_program("setpriv")
    path = tmp_path / "plugins.sock"
    started = shlex.split(re.search(r"^ExecStart=(.+)$", UNIT, re.MULTILINE)[1])
    assert started[0] == "/srv/accordance/.venv/bin/python"
    user = [setpriv, f"--reuid={OTHER_USER}", f"--regid={OTHER_USER}", "--clear-groups", "--no-new-privs"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/tmp", "PYTHONPATH": sysconfig.get_path("purelib")}  # noqa: S108
    python = find_python(user, environment)
    passed_on = [f"--setenv={name}" for name in environment]
    command = [listen, f"--listen={path}", "--accept", "--inetd", *passed_on, *user, python, *started[1:]]
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) as server,
    ):
        try:
            deadline = time.monotonic() + 20
            while not path.exists():
                assert server.poll() is None, (tmp_path / "log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.02)
            yield path
        finally:
            server.terminate()


def find_python(user, environment):
    """Return an interpreter of this version that another user can run; the one of these tests may lie in a home."""
    told = f"import subprocess, sys, numpy; assert sys.version_info[:2] == {sys.version_info[:2]}; "
    program = told + "subprocess.run([sys.executable, '-c', 'import pluggy'], check=True)"
    for python in (sys.executable, "/usr/bin/python3"):
        done = subprocess.run([*user, python, "-c", program], env=environment, capture_output=True, check=False)
        if not done.returncode:
            return python
    pytest.skip(f"no other user can run {sys.executable}, and /usr/bin/python3 is not of this version")


@pytest.fixture
def site(shared, monkeypatch):
    """What a site keeps from others: settings, a database, and pictures, readable by its own user alone."""
    media = shared / "media"
    media.mkdir(mode=0o700)
    (media / "picture.jpg").write_text(SECRET)
    settings, database = shared / "accordance.env", shared / "db.sqlite3"
    for path in (settings, database):
        path.write_text(SECRET)
        path.chmod(0o600)
    # What stands in /proc is what a process was started with: this one is started for it.
    with subprocess.Popen(["sleep", "300"], env={"SECRET_KEY": SECRET}) as worker:
        monkeypatch.setenv("SECRET_KEY", SECRET)
        environ = f"/proc/{worker.pid}/environ"
        yield {"files": [str(settings), str(database), environ], "folders": [str(media)]}
        worker.kill()


def start(plugins, service, **limits):
    process = SandboxProcess(SandboxLimits(seconds=60, service=service, network=True, **limits))
    assert process.ask("load", outside=True, folder=str(plugins)).error == ""
    return process


def look(plugins, service, site):
    with start(plugins, service) as process:
        error = process.ask("prepare", metric="hostile", params={"find": json.dumps(site)}).error
    return json.loads(error.splitlines()[0].removeprefix("RuntimeError: "))


def score(process, does="", **limits):
    assert process.ask("prepare", metric="hostile", params={"does": does}).error == ""
    process.ask("batch", blob=pickle.dumps(Batch.make(["first", "second"], candidates=["one", "three"])))
    return process.ask("score", metric="hostile", **limits)


def test_a_plugin_of_another_user_gets_at_nothing_of_the_site(plugins, service, site):
    as_the_site, as_another = look(plugins, None, site), look(plugins, service, site)

    # The same plugin as the site's own user reads everything, or the rest would show nothing.
    assert all(SECRET in text for text in as_the_site["files"].values())
    assert set(as_the_site["written"].values()) == {"written"}
    assert as_the_site["folders"] == {folder: ["picture.jpg"] for folder in site["folders"]}
    assert (as_another["user"], as_another["groups"]) == (OTHER_USER, [])
    assert as_another["files"] == dict.fromkeys(site["files"], "PermissionError")
    assert as_another["written"] == dict.fromkeys(site["files"], "PermissionError")
    assert as_another["folders"] == dict.fromkeys(site["folders"], "PermissionError")
    assert SECRET not in json.dumps(as_another)


def test_scores_come_back(plugins, service):
    with start(plugins, service) as process:
        reply = score(process)

    assert reply.error == ""
    assert np.frombuffer(reply.blob, dtype="<f8").tolist() == [3.0, 5.0]


def test_a_process_is_killed_at_its_limits(plugins, service):
    with start(plugins, service) as process:
        child = process.pid
        with pytest.raises(ChildFailed, match=r"^it took longer than the 0.5 s allowed and was ended"):
            score(process, "loop", seconds=0.5)

    assert child
    assert wait_until_gone([child]) == []


def test_a_process_above_its_memory_limit_is_reported(plugins, service):
    too_much = r"^it held [\d,]+ MiB of memory, more than the 512 MiB allowed"

    with start(plugins, service, memory=512 * MEBIBYTE) as process, pytest.raises(ChildFailed, match=too_much):
        score(process, "map")


def test_an_unexpected_exit_is_reported_with_its_output(plugins, service):
    with start(plugins, service) as process, pytest.raises(ChildFailed) as failed:
        score(process, "leave")

    assert str(failed.value) == "its process ended itself with exit code 3; it had printed: no licence"


PROGRAM = """
import pickle, sys
from pathlib import Path
from metrics_plugins.api import Batch
from metrics_plugins.runtime.sandbox import SandboxLimits, SandboxProcess
process = SandboxProcess(SandboxLimits(service=Path(sys.argv[1])))
process.ask("load", outside=True, folder=sys.argv[2])
process.ask("prepare", metric="hostile", params={"does": "loop"})
process.ask("batch", blob=pickle.dumps(Batch.make(["key"], candidates=["caption"])))
sys.stdout.write(f"{process.pid}\\n")
sys.stdout.flush()
process.ask("score", metric="hostile")
"""


def test_the_process_ends_with_its_parent(plugins, service):
    command = [sys.executable, "-c", PROGRAM, str(service), str(plugins)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as guard:
        child = int(guard.stdout.readline())
        assert is_running(child)
        guard.kill()
        guard.wait()

        assert wait_until_gone([child]) == []


def test_without_the_service_nothing_is_started(tmp_path):
    with pytest.raises(ChildFailed, match=r"^the service that starts plugins cannot be reached: No such file"):
        SandboxProcess(SandboxLimits(service=tmp_path / "nothing.sock"))


def test_environment_has_the_folders_of_the_other_user():
    told = {"HOME": "/home/site", "HF_HOME": "/models", "XDG_CACHE_HOME": "/home/site/.cache"}

    made = choose_environment(told, {"HOME": "/tmp", "SECRET": SECRET})  # noqa: S108

    assert made == {"HOME": "/tmp", "HF_HOME": "/models"}  # noqa: S108
