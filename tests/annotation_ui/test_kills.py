"""Server processes and the database are killed while raters work; every acknowledged answer is stored exactly once.

`ACCORDANCE_KILLS` says how often; a hundred take some minutes. The database has the settings of production here: what
is acknowledged is on the disk.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Thread

import psycopg
import pytest

from tests.postgres import find_free_port, make_cluster

ROOT = Path(__file__).resolve().parents[2]
N_KILLS = int(os.environ.get("ACCORDANCE_KILLS", "6"))
N_RATERS = 12
THINK = 0.3
JUDGED = """
SELECT assignment.id, assignment.state, count(judgment.id) FROM studies_assignment assignment
LEFT JOIN studies_judgment judgment ON judgment.assignment_id = assignment.id GROUP BY 1, 2
"""
MOST = """
SELECT max(n) FROM (SELECT count(*) AS n FROM studies_judgment GROUP BY item_id) AS tallies
"""


@pytest.mark.slow
@pytest.mark.usefixtures("postgres_url")
def test_killed_processes_lose_nothing_that_was_acknowledged(tmp_path, capsys) -> None:
    with make_cluster(("max_connections=100",)) as cluster:
        environment = {**os.environ, "DATABASE_URL": cluster.url, "ACCORDANCE_VAR": str(tmp_path)}
        # All raters come from this machine.
        environment["ACCORDANCE_JOINS_PER_MINUTE"] = environment["ACCORDANCE_NEWCOMERS_PER_ADDRESS"] = "0"
        token = _make_study(environment, n_tasks=60 * N_KILLS)
        server = _Server(environment)
        began = time.monotonic()
        with server.run(), _let_raters_work(server.url + f"/r/{token}/") as acknowledged:
            kinds = _kill(server, cluster, acknowledged, rng=Random(0))
        seconds = time.monotonic() - began
        with psycopg.connect(cluster.url) as connection:
            judged = {pk: (state, n) for pk, state, n in connection.execute(JUDGED)}
            (most,) = connection.execute(MOST).fetchone()

    assert sum(kinds.values()) == N_KILLS
    # They were all under load: answers came in between any two of them.
    assert len(acknowledged) > 2 * N_KILLS
    assert Counter(judged[pk] for pk in acknowledged) == {("submitted", 1): len(acknowledged)}
    assert len(acknowledged) == len(set(acknowledged))
    assert most <= RATERS_PER_TASK
    with capsys.disabled():
        sys.stdout.write(
            f"\n{N_KILLS} kills in {seconds:.0f} s ({dict(kinds)}), {len(acknowledged)} acknowledged, none lost\n"
        )


RATERS_PER_TASK = 3


class _Server:
    """The command `serve`, with two processes, started again at the same address whenever it is gone."""

    def __init__(self, environment):
        self.environment, self.port = environment, find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process = None

    @contextmanager
    def run(self):
        self.start()
        try:
            yield
        finally:
            self.kill()

    def start(self):
        command = [sys.executable, "manage.py", "serve", "--port", str(self.port), "--workers", "2"]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self):
        """Kill the server with all its processes."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def list_workers(self):
        """Return the processes that answer, children of gunicorn, and that of the background beside it."""
        children = _list_children(self.process.pid)
        servers = [pid for pid in children if b"gunicorn" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return [pid for pid in children if pid not in servers] + [
            worker for server in servers for worker in _list_children(server)
        ]


def _list_children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _kill(server, cluster, acknowledged, *, rng):
    """Kill something at a time when raters are at work, bring it back, and wait until they are again."""
    kinds = Counter()
    for _ in range(N_KILLS):
        _wait_for_more(acknowledged, server)
        time.sleep(rng.random() * THINK)
        kind = rng.choice(["worker", "server", "postmaster", "immediate stop"])
        kinds[kind] += 1
        if kind == "worker":
            os.kill(rng.choice(server.list_workers()), signal.SIGKILL)
        elif kind == "server":
            server.kill()
            server.start()
        elif kind == "postmaster":
            os.kill(cluster.read_pid(), signal.SIGKILL)
            _start_again(cluster)
        else:
            cluster.stop()
            cluster.start()
    _wait_for_more(acknowledged, server)
    return kinds


def _wait_for_more(acknowledged, server, *, seconds=300):
    n_before, until = len(acknowledged), time.monotonic() + seconds
    while len(acknowledged) < n_before + N_RATERS // 2:
        assert server.process.poll() is None, "the server has ended by itself"
        assert time.monotonic() < until, f"no {N_RATERS // 2} answers came through in {seconds} s"
        time.sleep(0.05)


def _start_again(cluster):
    # The processes of a killed postmaster notice after a moment; until then their memory is in the way.
    for _ in range(50):
        with suppress(RuntimeError):
            cluster.start()
            return
        time.sleep(0.2)
    raise AssertionError("PostgreSQL does not start again")


@contextmanager
def _let_raters_work(url):
    """Yield a list that grows with the primary key of each assignment that was acknowledged."""
    script = ROOT / "benchmarks" / "studies" / "scripted_raters.py"
    options = ("--raters", str(N_RATERS), "--think", str(THINK), "--seconds", "100000", "--patience", "120")
    command = [sys.executable, str(script), url, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    acknowledged = []

    def read():
        for line in process.stdout:
            word, pk = line.split(maxsplit=1)
            if word == "acknowledged":
                acknowledged.append(int(pk))

    reader = Thread(target=read)
    reader.start()
    try:
        yield acknowledged
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def _make_study(environment, *, n_tasks):
    command = [sys.executable, "-m", "tests.studies.collection.assignment.large", str(n_tasks), str(RATERS_PER_TASK)]
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    made = subprocess.run(command, cwd=ROOT, env=environment | settings, capture_output=True, text=True, check=True)
    return made.stdout.strip()
