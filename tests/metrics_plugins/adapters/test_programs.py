"""Tests of long-running programs: answers, misbehaviour and termination."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from metrics_plugins.adapters.programs import Program, ProgramFailed
from tests.running_processes import is_running

# Each reads lines; `line` is the first, already read.
START = "import os, sys, time\nprint_now = lambda text: print(text, flush=True)\n"
READ = START + "for line in sys.stdin:\n    "


def wait_until(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def start(code: str) -> Program:
    return Program([sys.executable, "-c", code])


def ask(program: Program, line: str = "question", *, seconds: float = 20.0) -> str:
    return program.ask(line, end=time.monotonic() + seconds)


def test_answers_line_by_line_and_ends_when_killed() -> None:
    program = start(READ + "print_now(f'{os.getpid()} {line.strip()[::-1]}')")

    first, second = ask(program, "abc"), ask(program, "x" * 200_000)

    pid, _, text = first.partition(" ")
    assert text == "cba"
    assert second == f"{pid} {'x' * 200_000}"
    assert is_running(int(pid))
    assert program.kill() == ""
    assert not is_running(int(pid))
    assert not program.is_usable


def test_a_program_that_left_its_group_is_killed_at_once() -> None:
    program = start("import os\nos.setsid()\n" + READ + "print_now(os.getpid()); time.sleep(60)")
    pid = int(ask(program))
    started = time.monotonic()

    program.kill()

    assert time.monotonic() - started < 30
    assert not is_running(pid)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("sys.exit(3)", r"ended with exit code 3 before it answered$"),
        ("os.kill(os.getpid(), 9)", r"ended by signal 9 before it answered$"),
        ("sys.stdout.write('half'); sys.exit(0)", r"ended with exit code 0 before it answered \(only b'half'\)$"),
        ("print_now('one\\ntwo')", r"answered more than one line: b'one\\ntwo"),
        ("print_now('x' * 3_000_000)", r"answered more than 1,048,576 bytes without end \(only b'xxx"),
        ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush()", r"answered what is not UTF-8: b'\\xff'$"),
        ("os.close(1); time.sleep(60)", r"ended its output before it answered$"),
    ],
)
def test_misbehaving_programs_fail_with_a_message(code: str, message: str) -> None:
    program = start(READ + code)

    with pytest.raises(ProgramFailed, match=message):
        ask(program)
    program.kill()


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("time.sleep(60)", r"wrote no complete line within 0\.\d s$"),
        ("print('half', end='', flush=True); time.sleep(60)", r"within 0\.\d s \(only b'half'\)$"),
    ],
)
def test_late_answer(code: str, message: str) -> None:
    program = start(READ + code)

    with pytest.raises(ProgramFailed, match=message):
        ask(program, seconds=0.5)
    began = time.monotonic()
    program.kill()
    assert time.monotonic() - began < 0.5


def test_program_that_never_reads() -> None:
    program = start("import time; time.sleep(60)")

    with pytest.raises(ProgramFailed, match="wrote no complete line"):
        ask(program, "x" * 1_000_000, seconds=0.5)
    program.kill()


def test_what_was_not_asked_for() -> None:
    program = start(START + "print_now('Welcome!')\nsys.stdin.read()")
    time.sleep(1)

    with pytest.raises(ProgramFailed, match=r"wrote before it was asked: b'Welcome!\\n'"):
        ask(program)
    program.kill()


def test_end_of_standard_error_is_kept_and_never_blocks() -> None:
    program = start(READ + "sys.stderr.write('noise ' * 100_000 + 'the reason'); sys.exit(1)")

    with pytest.raises(ProgramFailed, match="ended with exit code 1"):
        ask(program)
    said = program.kill()
    assert said.endswith("noise the reason")
    assert len(said) <= 2000


def test_children_of_the_program_are_killed_too() -> None:
    code = READ + (
        "import signal, subprocess; signal.signal(15, signal.SIG_IGN); "
        "print_now(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)"
    )
    program = start(code)
    child = int(ask(program))

    assert is_running(child)
    program.kill()
    assert wait_until(lambda: not is_running(child))


def test_program_ends_when_the_object_is_deleted() -> None:
    program = start(READ + "print_now(os.getpid())")
    pid = int(ask(program))

    del program

    assert not is_running(pid)


@pytest.mark.parametrize("listens", [True, False])
def test_ends_with_python(listens: bool, tmp_path: Path) -> None:
    rest = "" if listens else "; time.sleep(60)"
    code = START + f"line = sys.stdin.readline(); print_now(os.getpid()); sys.stdin.read(){rest}"
    (tmp_path / "holder.py").write_text(
        "import sys, time\n"
        "from metrics_plugins.adapters.programs import Program\n"
        f"program = Program([sys.executable, '-c', {code!r}])\n"
        "print(program.ask('x', end=time.monotonic() + 20))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}

    result = subprocess.run(
        [sys.executable, "-W", "error", str(tmp_path / "holder.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stderr == ""
    assert not is_running(int(result.stdout))


def test_forked_process_leaves_it_alone() -> None:
    program = start(READ + "print_now(os.getpid())")
    pid = int(ask(program))

    child = os.fork()
    if not child:
        # In the child nothing may be raised into pytest: its exit code says what it saw.
        usable = program.is_usable
        program.kill()
        os._exit(int(usable))

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert int(ask(program)) == pid
    program.kill()


def test_program_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        Program(["/nowhere/program"])


def test_killed_from_outside_is_told() -> None:
    program = start(READ + "print_now(os.getpid())")
    os.kill(int(ask(program)), signal.SIGKILL)

    with pytest.raises(ProgramFailed, match="ended by signal 9"):
        ask(program)
    program.kill()


def test_reaped_by_somebody_else() -> None:
    program = start(READ + "sys.exit(0)")
    with pytest.raises(ProgramFailed, match="ended with exit code 0"):
        ask(program)
    os.waitpid(program._process.pid, 0)

    assert program.kill() == ""
