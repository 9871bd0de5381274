"""Tests of when Ctrl-Z is handled; what it does with workers, tests/accordance/test_pausing.py has."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from execution.factory import make_executor


@pytest.fixture(autouse=True)
def before() -> Iterator[None]:
    """The disposition that Python starts with."""
    kept = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTSTP, kept)


def look_inside() -> object:
    with make_executor("processes"):
        return signal.getsignal(signal.SIGTSTP)


def test_ctrl_z_is_handled_while_there_may_be_workers() -> None:
    assert callable(look_inside())
    assert signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL


def test_ctrl_z_is_handled_until_the_workers_are_stopped() -> None:
    with pytest.raises(KeyboardInterrupt), make_executor("processes"):
        raise KeyboardInterrupt

    assert signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL


def test_ctrl_z_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)

    assert look_inside() == signal.SIG_IGN
    assert signal.getsignal(signal.SIGTSTP) == signal.SIG_IGN


def test_threads_leave_ctrl_z_as_it_is() -> None:
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(look_inside).result() == signal.SIG_DFL
