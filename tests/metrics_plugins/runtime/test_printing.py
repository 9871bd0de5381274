"""Tests that what plugins print goes to standard error, also with threads that overlap, and only that."""

import os
import subprocess
import sys
from io import StringIO
from threading import Event, Thread

import pytest

from metrics_plugins.runtime.printing import keeping_stdout, printing_to_stderr


def test_output_is_redirected_inside_only(capsys: pytest.CaptureFixture) -> None:
    with printing_to_stderr:
        with printing_to_stderr:
            sys.stdout.write("inside\n")
        sys.stdout.write("still inside\n")
    sys.stdout.write("outside\n")

    assert capsys.readouterr() == ("outside\n", "inside\nstill inside\n")


def test_an_exception_ends_it(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(ValueError, match="wrong"), printing_to_stderr:
        raise ValueError("wrong")
    sys.stdout.write("outside\n")

    assert capsys.readouterr().out == "outside\n"


def test_the_first_thread_may_leave_first(capsys: pytest.CaptureFixture) -> None:
    before, has_entered, may_leave = sys.stdout, Event(), Event()

    def print_in_thread() -> None:
        with printing_to_stderr:
            has_entered.set()
            may_leave.wait(timeout=60)
            sys.stdout.write("in the thread\n")

    thread = Thread(target=print_in_thread)
    with printing_to_stderr:
        thread.start()
        assert has_entered.wait(timeout=60)
    may_leave.set()
    thread.join()
    sys.stdout.write("outside\n")

    assert sys.stdout is before
    assert capsys.readouterr() == ("outside\n", "in the thread\n")


def test_what_replaced_standard_output_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced, replacing = StringIO(), StringIO()
    monkeypatch.setattr(sys, "stdout", replaced)

    with printing_to_stderr:
        sys.stdout = replacing
        replaced.close()

    assert sys.stdout is replacing


PROGRAM = """
import os, subprocess, sys
from threading import Thread
from metrics_plugins.runtime.printing import keeping_stdout

def start_programs():
    subprocess.run(["echo", "program"])
    os.system("echo shell")
    os.write(1, b"descriptor\\n")

print("before")
try:
    with keeping_stdout():
        threads = [Thread(target=start_programs) for _ in range(2)]
        for thread in threads:
            thread.start()
        print("inside")
        for thread in threads:
            thread.join()
        raise ValueError
except ValueError:
    pass
subprocess.run(["echo", "after"])
print("end")
"""


def test_programs_that_are_started_print_to_standard_error() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == ["before", "inside", "after", "end"]
    assert sorted(done.stderr.splitlines()) == sorted(["program", "shell", "descriptor"] * 2)


def test_a_reader_that_has_gone_is_no_error() -> None:
    program = (
        "import sys; from metrics_plugins.runtime.printing import keeping_stdout\n"
        "with keeping_stdout():\n    sys.stdin.readline(); print('line')\nprint('over', file=sys.stderr)"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program], **pipes, text=True) as running:
        running.stdout.close()
        running.stdin.write("go on\n")
        running.stdin.close()
        error = running.stderr.read()

    assert (running.returncode, error) == (0, "over\n")


def test_standard_output_that_was_replaced_is_left_alone(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    before = os.fstat(1)
    with (tmp_path / "output").open("w") as replaced:
        monkeypatch.setattr(sys, "stdout", replaced)
        with keeping_stdout():
            assert (sys.stdout, os.fstat(1)) == (replaced, before)
