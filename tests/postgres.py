"""A PostgreSQL cluster of our own: made in a temporary folder, on a free port, gone afterwards.

As a plugin (`python -m pytest -p tests.postgres`) it makes the whole run use that cluster instead of SQLite.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.parts import find_program, require_program

_FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=200")


@contextmanager
def run_cluster() -> Iterator[str]:
    """Start a cluster and yield the URL of its database `postgres`; stop and delete it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="accordance-postgres-"))
    owner = _find_owner()
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    port = _find_free_port()
    options = " ".join(f"-c {setting}" for setting in (*_FAST, "listen_addresses=127.0.0.1", f"port={port}"))
    data = folder / "data"
    initdb = ("initdb", "-D", str(data), "-U", "accordance", "-A", "trust", "-E", "UTF8", "--no-sync")
    _run(*initdb, owner=owner)
    _run(
        *("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", f"{options} -k {folder}", "start"),
        owner=owner,
    )
    try:
        yield f"postgres://accordance@127.0.0.1:{port}/postgres"
    finally:
        _run("pg_ctl", "-D", str(data), "-m", "immediate", "stop", owner=owner)
        shutil.rmtree(folder, ignore_errors=True)


def _find_owner() -> pwd.struct_passwd | None:
    # The server refuses to run as root; Debian's package makes a user for it.
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
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
    cluster = run_cluster()
    os.environ["ACCORDANCE_TEST_POSTGRES"] = os.environ["DATABASE_URL"] = cluster.__enter__()
    _running.append(cluster)
    yield


_running: list = []


def pytest_unconfigure() -> None:
    """Stop the cluster of this run."""
    while _running:
        _running.pop().__exit__(None, None, None)
