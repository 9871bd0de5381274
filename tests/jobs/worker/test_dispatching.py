"""Tests of jobs in child processes with a separate database: killed, too slow, too large, cancelled and requeued."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running_processes import is_running
from tests.studies.management.commands.processes import ROOT, make_environment, migrate, run
from tests.studies.management.test_supervising import wait_for

pytestmark = pytest.mark.slow

DISPATCH = """
import json, os, signal, sys, time
from pathlib import Path
from django.utils import timezone
from jobs.worker.dispatching import Dispatcher
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import request_job

def work(handle):
    folder = Path(handle.payload["folder"])
    what = handle.payload["do"]
    (folder / f"{what}-{handle.job.n_tries}").write_text(str(os.getpid()))
    if what == "fill":
        kept = []
        for number in range(4096):
            kept.append(bytearray(os.urandom(1 << 20)))
    if what == "die" or (what == "die-once" and handle.job.n_tries == 1):
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "sleep":
        time.sleep(600)
    return {"pid": os.getpid(), "nice": os.nice(0)}

for number, lane in enumerate(("one", "two")):
    register(Kind(name=lane, title="A test", lane=lane, work=work, seconds=SECONDS, memory=lambda: 200, most_tries=2))
register(Kind(name="stays", title="A test", lane="stays", work=work, seconds=SECONDS, most_tries=2, stays=True))
"""
ASK = """
for lane, what in PLAN:
    from jobs.registry import find_kind
    request_job(find_kind(lane), account=None, now=timezone.now(), payload={"do": what, "folder": FOLDER})
"""
RUN = """
dispatcher = Dispatcher(now=timezone.now, lanes=("one", "two", "stays"))
signal.signal(signal.SIGTERM, dispatcher.stop)
dispatcher.run(batch=BATCH)
"""
TELL = """
told = [[j.payload["do"], j.state, j.n_tries, j.problem, [l.text for l in j.lines.all()], j.result]
        for j in Job.objects.order_by("pk")]
print(json.dumps({"pid": os.getpid(), "jobs": told}))
"""


@pytest.fixture
def environment(tmp_path):
    """That of an installation with empty tables."""
    made = make_environment(tmp_path)
    migrate(made)
    return made


def write_program(*parts, folder, plan=(), seconds=60.0, batch=True):
    names = {"FOLDER": str(folder), "PLAN": plan, "SECONDS": seconds, "BATCH": batch}
    return "".join(f"{name} = {value!r}\n" for name, value in names.items()) + DISPATCH + "".join(parts)


def run_program(*parts, environment, **options):
    program = write_program(*parts, **options)
    return json.loads(run("shell", "--verbosity", "0", "--command", program, environment=environment))


def start_program(*parts, environment, **options):
    command = [sys.executable, "manage.py", "shell", "--verbosity", "0", "--command", write_program(*parts, **options)]
    return subprocess.Popen(command, cwd=ROOT, env=environment)


def read_pid(path: Path):
    return path.exists() and path.read_text() and int(path.read_text())


def test_each_job_has_a_process_and_its_end(tmp_path, environment):
    plan = [("one", "count"), ("one", "die-once"), ("one", "die"), ("two", "fill")]

    told = run_program(ASK, RUN, TELL, folder=tmp_path, plan=plan, environment=environment)

    count, die_once, die, fill = told["jobs"]
    assert count[:4] == ["count", "done", 1, ""]
    assert count[5]["pid"] != told["pid"]
    assert count[5]["nice"] - os.nice(0) >= 5
    killed = "the process running it was killed by signal 9 (SIGKILL)"
    assert die_once[:4] == ["die-once", "done", 2, ""]
    assert die_once[4] == [f"lost: {killed}", "queued again: try 2 of 2", "done"]
    assert die[:4] == ["die", "lost", 2, f"{killed}, 2 times"]
    assert fill[:3] == ["fill", "failed", 1]
    assert fill[3].startswith("it exceeded its memory limit (200 MiB)")


def test_a_process_that_stays_goes_on_until_it_dies(tmp_path, environment):
    plan = [("stays", what) for what in ("count", "count", "die-once", "count")]

    jobs = run_program(ASK, RUN, TELL, folder=tmp_path, plan=plan, environment=environment)["jobs"]

    assert [job[1] for job in jobs] == ["done"] * 4
    first, second, third, fourth = (job[5]["pid"] for job in jobs)
    assert first == second
    assert third == fourth != first
    assert not is_running(first)
    assert not is_running(fourth)


def test_what_takes_too_long_is_ended(tmp_path, environment):
    told = run_program(ASK, RUN, TELL, folder=tmp_path, plan=[("one", "sleep")], seconds=1.0, environment=environment)

    assert told["jobs"][0][:4] == [
        "sleep", "failed", 1, "it exceeded its time limit of 1 seconds and was stopped"
    ]  # fmt: skip
    assert not is_running(read_pid(tmp_path / "sleep-1"))


def test_a_slow_job_holds_up_no_other_lane(tmp_path, environment):
    plan = [("one", "sleep"), ("two", "count")]

    with start_program(ASK, RUN, folder=tmp_path, plan=plan, environment=environment) as worker:
        assert wait_for(lambda: read_pid(tmp_path / "count-1"))
        assert wait_for(lambda: read_pid(tmp_path / "sleep-1"))
        worker.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_its_worker(tmp_path, environment, number):
    plan = [("one", "sleep")]
    with start_program(ASK, RUN, folder=tmp_path, plan=plan, batch=False, environment=environment) as worker:
        child = wait_for(lambda: read_pid(tmp_path / "sleep-1"))
        worker.send_signal(number)
        worker.wait()

    assert wait_for(lambda: not is_running(child), seconds=5)
    state, n_tries = "queued" if number == signal.SIGTERM else "running", 0 if number == signal.SIGTERM else 1
    assert run_program(TELL, folder=tmp_path, environment=environment)["jobs"][0][:3] == ["sleep", state, n_tries]


def test_a_cancelled_job_is_ended(tmp_path, environment):
    cancel = "from jobs.requests import cancel_job\ncancel_job(Job.objects.get(), now=timezone.now())\n"
    plan = [("one", "sleep")]
    with start_program(ASK, RUN, folder=tmp_path, plan=plan, batch=False, environment=environment) as worker:
        child = wait_for(lambda: read_pid(tmp_path / "sleep-1"))
        told = run_program(cancel, TELL, folder=tmp_path, environment=environment)
        assert wait_for(lambda: not is_running(child), seconds=10)
        assert worker.poll() is None
        worker.terminate()

    assert told["jobs"][0][:4] == ["sleep", "cancelled", 1, "cancelled"]


def test_many_workers_run_each_job_once(tmp_path, environment):
    plan = [("one", "count")] * 12
    run_program(ASK, TELL, folder=tmp_path, plan=plan, environment=environment)

    workers = [start_program(RUN, folder=tmp_path, environment=environment) for _ in range(3)]
    for worker in workers:
        assert worker.wait() == 0

    jobs = run_program(TELL, folder=tmp_path, environment=environment)["jobs"]
    assert [job[1:5] for job in jobs] == [["done", 1, "", ["done"]]] * 12


def test_a_locked_database_stops_nothing_for_good(tmp_path, environment):
    """Somebody holds the database for longer than a worker waits; what is due to be ended meanwhile is ended."""
    hold = """
from django.db import transaction
with transaction.atomic():
    Job.objects.update(message="held")
    (Path(FOLDER) / "held").touch()
    time.sleep(5)
    deadline = time.monotonic() + 30
    while (is_there := Path("/proc/" + PID.read_text()).exists()) and time.monotonic() < deadline:
        time.sleep(0.1)
    print(json.dumps(not is_there))
"""
    plan = [("one", "sleep"), ("two", "count")]
    pid = f"PID = Path({str(tmp_path / 'sleep-1')!r})\n"
    with start_program(ASK, RUN, folder=tmp_path, plan=plan, seconds=3.0, environment=environment) as worker:
        assert wait_for(lambda: read_pid(tmp_path / "sleep-1"))
        assert run_program(pid, hold, folder=tmp_path, environment=environment) is True
        assert worker.wait() == 0

    sleep, count = run_program(TELL, folder=tmp_path, environment=environment)["jobs"]
    assert sleep[1:4] == ["failed", 1, "it exceeded its time limit of 3 seconds and was stopped"]
    assert count[1] == "done"
