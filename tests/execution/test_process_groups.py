"""Tests that programs end with the process that started them, however it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from execution.factory import make_executor
from tests.running_processes import is_running, wait_until_gone

ROOT = Path(__file__).resolve().parents[2]
LEADER = """
import os, subprocess, sys, time
from execution.process_groups import guard_own_group

if __name__ == "__main__":
    os.setsid()
    guard_own_group()
    program = subprocess.Popen(["sleep", "600"])
    forked = os.fork()
    if forked == 0:
        time.sleep(600)
        os._exit(0)
    print(program.pid, forked, flush=True)
    time.sleep(600 if sys.argv[1:] else 0)
    sys.exit(3)
"""
GROUP = """
import subprocess, sys, time
from execution.process_groups import start_guard

if __name__ == "__main__":
    guard = start_guard(group=0)
    print(subprocess.Popen(["sleep", "600"], process_group=guard.pid).pid, flush=True)
    time.sleep(600 if sys.argv[1:] else 0)
    sys.exit(3)
"""
BUSY = """
import os, re
from execution.factory import make_executor

def match():
    # Other threads of the process do not run meanwhile, for years.
    print(os.getpid(), flush=True)
    re.match("(a+)+$", "a" * 60 + "b")

if __name__ == "__main__":
    with make_executor("processes") as executor:
        executor.submit(match).result()
"""
DISPOSITION = """
import json, signal
handler = signal.getsignal(signal.SIGINT)
print(json.dumps([handler is signal.default_int_handler, sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))]))
"""


@pytest.mark.parametrize("program", [LEADER, GROUP], ids=["its own group", "a group of its own"])
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGKILL], ids=["end", "SIGTERM", "SIGKILL"])
def test_programs_end_with_the_process_that_guards_their_group(
    program: str, number: signal.Signals | None, tmp_path: Path
) -> None:
    script = tmp_path / "leader.py"
    script.write_text(program)
    command = [sys.executable, str(script), *(["waits"] if number else [])]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as leader:
        started = [int(pid) for pid in leader.stdout.readline().split()]
        assert len(started) >= 1
        if number:
            assert all(map(is_running, started))
            leader.send_signal(number)
        assert leader.wait() == (-number if number else 3)

    assert wait_until_gone(started) == []


def test_a_worker_ends_with_its_parent_though_a_call_lets_no_other_thread_run(tmp_path: Path) -> None:
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    with subprocess.Popen([sys.executable, str(script)], env=environment, stdout=subprocess.PIPE, text=True) as parent:
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.kill()
        parent.wait()

    assert wait_until_gone([worker]) == []


def start_program() -> int:
    return subprocess.Popen(["sleep", "600"]).pid


def start_program_and_wait(path: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    path.write_text(str(start_program()))
    time.sleep(600)


def start_program_and_die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def look_at_signals() -> str:
    return subprocess.run([sys.executable, "-c", DISPOSITION], capture_output=True, text=True, check=True).stdout


def test_programs_of_workers_get_ctrl_c_as_others_do() -> None:
    with make_executor("processes") as executor:
        assert json.loads(executor.submit(look_at_signals).result()) == [True, []]


def test_programs_end_with_a_pool_that_is_shut_down() -> None:
    with make_executor("processes") as executor:
        pid = executor.submit(start_program).result()
        assert is_running(pid)

    assert wait_until_gone([pid]) == []


def test_programs_end_with_a_worker_that_is_killed() -> None:
    with make_executor("processes") as executor:
        pid = executor.submit(start_program).result()
        killed = executor.submit(start_program_and_die)
        assert killed.exception() is not None
        # The pool is still open.
        assert wait_until_gone([pid]) == []


def test_programs_end_when_a_call_is_stopped_even_if_its_worker_ignores_sigterm(tmp_path: Path) -> None:
    path = tmp_path / "pid"

    with pytest.raises(KeyboardInterrupt), make_executor("processes") as executor:  # noqa: PT012
        executor.submit(start_program_and_wait, path)
        while not path.is_file() or not path.read_text():
            time.sleep(0.05)
        assert is_running(int(path.read_text()))
        raise KeyboardInterrupt

    assert wait_until_gone([int(path.read_text())]) == []
