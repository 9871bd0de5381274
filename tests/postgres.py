"""A temporary PostgreSQL cluster on a free port.

As a plugin (`python -m pytest -p tests.postgres`) it makes the whole run use that cluster instead of SQLite.
"""

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.parts import find_program, require_program

_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200")
_PORTS = range(15_000, 32_000)


@dataclass(frozen=True, slots=True)
class Cluster:
    """A server with its folder, port and settings; it can be killed and started again on the same data."""

    folder: Path
    port: int
    settings: tuple[str, ...]
    owner: pwd.struct_passwd | None

    @property
    def url(self) -> str:
        return f"postgres://accordance@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the server and wait until it takes connections, after a crash once it has recovered."""
        settings = (*self.settings, "listen_addresses=127.0.0.1", f"port={self.port}")
        options = " ".join(f"-c {setting}" for setting in settings)
        data, log = str(self.folder / "data"), str(self.folder / "log")
        _run("pg_ctl", "-D", data, "-w", "-l", log, "-o", f"{options} -k {self.folder}", "start", owner=self.owner)

    def stop(self) -> None:
        """Stop at once, as after a crash: nothing is written that was not written before."""
        _run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop", owner=self.owner)

    def read_pid(self) -> int:
        """Return the process id of the postmaster."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])


@contextmanager
def run_cluster(settings: tuple[str, ...] = _FAST) -> Iterator[str]:
    """Start a cluster and yield the URL of its database `postgres`; stop and delete it afterwards."""
    with make_cluster(settings) as cluster:
        yield cluster.url


@contextmanager
def make_cluster(settings: tuple[str, ...]) -> Iterator[Cluster]:
    """Start a cluster with these settings; stop and delete it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="accordance-postgres-"))
    try:
        with keep_cluster(folder, settings) as cluster:
            yield cluster
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def keep_cluster(folder: Path, settings: tuple[str, ...] = _FAST) -> Iterator[Cluster]:
    """Start the cluster of this folder, made there if the folder has none, and stop it afterwards."""
    owner = _find_owner()
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    cluster = Cluster(folder, find_free_port(), settings, owner)
    if not (folder / "data").exists():
        initdb = ("initdb", "-D", str(folder / "data"), "-U", "accordance", "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(*initdb, owner=owner)
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.stop()


def _find_owner() -> pwd.struct_passwd | None:
    # The server refuses to run as root; Debian's package makes a user for it.
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def find_free_port() -> int:
    """Return a port that nobody listens at.

    It is below those that the system gives to connections: one of these could get it before it is used.
    """
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def _run(program: str, *arguments: str, owner: pwd.struct_passwd | None) -> None:
    path = find_program(program)
    if path is None:
        raise FileNotFoundError(program)
    drop = {"user": owner.pw_uid, "group": owner.pw_gid} if owner else {}
    done = subprocess.run([path, *arguments], cwd="/", capture_output=True, text=True, check=False, **drop)
    if done.returncode:
        raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests() -> Iterator[None]:
    """Set DATABASE_URL before Django reads it; parallel workers inherit the controller's cluster."""
    if "ACCORDANCE_TEST_POSTGRES" in os.environ:
        yield
        return
    if find_program("initdb") is None:
        require_program("initdb")
    cluster = make_cluster(_FAST)
    started = cluster.__enter__()
    os.environ["ACCORDANCE_TEST_POSTGRES"] = os.environ["DATABASE_URL"] = started.url
    os.environ["ACCORDANCE_TEST_SOCKETS"] = str(started.folder)
    _running.append(cluster)
    yield


_running: list = []


def pytest_unconfigure() -> None:
    """Stop the cluster of this run."""
    while _running:
        _running.pop().__exit__(None, None, None)
