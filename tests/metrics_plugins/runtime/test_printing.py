"""Tests that what plugins print goes to standard error, also with threads that overlap, and only that."""

import sys
from io import StringIO
from threading import Event, Thread

import pytest

from metrics_plugins.runtime.printing import printing_to_stderr


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
