"""Tests of the server with its background workers, started as real processes."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.postgres import find_free_port
from tests.running_processes import is_running
from tests.studies.management.commands.processes import list_children, make_environment, migrate, start
from tests.studies.management.commands.test_serve import fetch

pytestmark = pytest.mark.slow


def read_command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def find_workers(process):
    return {pid for pid in list_children(process.pid) if read_command(pid).strip().endswith("background")}


def wait_for(question, *, seconds=60):
    deadline = time.monotonic() + seconds
    while not (answer := question()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return answer


@pytest.fixture
def served(tmp_path):
    port = find_free_port()
    options = ("--port", str(port), "--workers", "1", "--background", "2")
    environment = make_environment(tmp_path)
    migrate(environment)
    with start("serve", *options, environment=environment) as process:
        fetch(f"http://127.0.0.1:{port}/login/", within=60)
        yield process, port
        process.kill()


def test_a_killed_worker_is_started_again_and_all_end_together(served):
    process, port = served
    first, second = sorted(wait_for(lambda: len(find_workers(process)) == 2 and find_workers(process)))
    time.sleep(5.5)

    os.kill(first, signal.SIGKILL)
    replaced = wait_for(lambda: len(find_workers(process) - {first}) == 2 and find_workers(process) - {first})

    assert second in replaced
    assert "csrfmiddlewaretoken" in fetch(f"http://127.0.0.1:{port}/login/")
    everybody = list_children(process.pid)
    process.terminate()
    assert process.wait(timeout=60) == 0
    assert [is_running(pid) for pid in everybody] == [False] * 3


def test_when_the_supervisor_is_killed_nobody_is_left(served):
    process, _ = served
    wait_for(lambda: len(find_workers(process)) == 2)
    everybody = list_children(process.pid)

    process.kill()
    process.wait()

    assert len(everybody) == 3
    assert wait_for(lambda: not any(is_running(pid) for pid in everybody))


def test_when_the_server_ends_its_workers_end_with_it(served):
    process, _ = served
    workers = wait_for(lambda: len(find_workers(process)) == 2 and find_workers(process))
    (server,) = list_children(process.pid) - workers

    os.kill(server, signal.SIGKILL)

    assert process.wait(timeout=60) == 256 - signal.SIGKILL
    assert wait_for(lambda: not any(is_running(pid) for pid in workers))
