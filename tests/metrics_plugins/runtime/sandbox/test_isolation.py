"""Tests of a plugin that reports all that it finds in a real sandboxed process."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from metrics_plugins.runtime.sandbox import SandboxLimits, SandboxProcess
from metrics_plugins.runtime.sandbox.environment import EXTRA_VARIABLE, make_environment

CURIOUS = """
import json, os, socket, sys
from metrics_plugins.api import Input, Level, Metric, MetricInfo, Scores, hookimpl


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode(errors="replace")
    except OSError as error:
        return type(error).__name__


def reach(address):
    try:
        socket.create_connection(address, timeout=5).close()
    except OSError as error:
        return type(error).__name__
    return "reached"


class Curious(Metric):
    info = MetricInfo(
        id="curious", title="Curious", level=Level.SEGMENT, inputs=frozenset({Input.CANDIDATE}),
        higher_is_better=True, bounds=(0.0, 1.0), version="1", citation="none",
    )

    @classmethod
    def build(cls, context, *, port: int = 0):
        raise RuntimeError(json.dumps({
            "environment": dict(os.environ),
            "parent": read(f"/proc/{os.getppid()}/environ"),
            "own": read("/proc/self/environ"),
            "modules": sorted({"django", "config", "studies"} & set(sys.modules)),
            "network": reach(("127.0.0.1", port)),
            "user": os.geteuid(),
        }))

    def score(self, batch):
        return Scores.make(batch.keys, [0.0] * len(batch))


@hookimpl
def register_metrics():
    return [Curious]
"""
SECRETS = {
    "SECRET_KEY": "planted-secret",
    "DATABASE_URL": "postgres://planted-secret",
    "ACCORDANCE_IDENTITY_KEY": "planted-secret",
    "ACCORDANCE_SIGN_UP_WORD": "planted-secret",
    "EMAIL_HOST_PASSWORD": "planted-secret",
    "AWS_SECRET_ACCESS_KEY": "planted-secret",
    "HF_TOKEN": "planted-secret",
    "DJANGO_SETTINGS_MODULE": "config.planted-secret",
    "A_NAME_THAT_NOBODY_FORESAW": "planted-secret",
}


@pytest.fixture
def look(tmp_path, monkeypatch, listener):
    """Return what a plugin finds that runs in a process with these limits."""
    (tmp_path / "curious_plugin.py").write_text(CURIOUS)
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)

    def look(**limits):
        with SandboxProcess(SandboxLimits(seconds=60, **limits)) as process:
            assert process.ask("load", outside=True, folder=str(tmp_path)).error == ""
            error = process.ask("prepare", metric="curious", params={"port": listener}).error
        return json.loads(error.splitlines()[0].removeprefix("RuntimeError: "))

    return look


@pytest.fixture
def listener():
    """The port of a server outside."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_plugin_finds_no_secret_in_its_environment(look, monkeypatch):
    monkeypatch.setenv("LC_TIME", "C")

    found = look()

    assert "planted-secret" not in json.dumps(found["environment"]) + found["own"]
    assert found["environment"]["PATH"] == os.environ["PATH"]
    assert found["environment"]["LC_TIME"] == "C"
    assert found["modules"] == []


def test_a_variable_is_passed_on_that_the_operator_names(look, monkeypatch):
    monkeypatch.setenv(EXTRA_VARIABLE, "EMAIL_HOST_PASSWORD, NOT_THERE")

    found = look()["environment"]

    assert found["EMAIL_HOST_PASSWORD"] == "planted-secret"
    assert [name for name in SECRETS if name in found] == ["EMAIL_HOST_PASSWORD"]


def test_a_plugin_has_no_network_and_sees_no_other_process_where_the_system_offers_it(look):
    offers = subprocess.run(["unshare", "--user", "--net", "true"], check=False, capture_output=True).returncode == 0

    alone, networked = look(), look(network=True)

    assert networked["network"] == "reached"
    assert (alone["network"] != "reached") is offers
    assert alone["user"] == os.geteuid()
    # The environment that a process was started with can be read by others of its user, but not from a namespace.
    assert (alone["parent"] == "PermissionError") is (offers and Path("/proc/self/environ").exists())


def test_environment_has_the_search_path_and_nothing_unlisted():
    own = {"PATH": "/bin", "CUDA_VISIBLE_DEVICES": "0", "LC_ALL": "C"}
    secret = dict.fromkeys(["SECRET_KEY", "PYTHONSTARTUP", "NVIDIA_API_KEY", "LC_SECRET"], "x")

    made = make_environment({**own, **secret, "PYTHONPATH": "/old"}, search_path="/new")

    assert made == {**own, "PYTHONPATH": "/new"}
