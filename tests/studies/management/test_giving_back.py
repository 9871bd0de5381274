"""What a process works on is given back from the first signal on, until it stops listening."""

import os
import signal
import threading

import pytest

from studies.access.auditing import COMMAND_LINE
from studies.enums import RequestState
from studies.management.giving_back import giving_back_when_told
from studies.models import ScoringRequest
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.leasing import take_lease
from studies.scoring.requests.requesting import request_scoring
from tests.factories.studies import NOW
from tests.studies.management.test_supervising import wait_for
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _work_on():
    """Hear of signals and work on, as a worker does that is at something."""
    numbers = (signal.SIGTERM, signal.SIGUSR1)
    before = [signal.signal(number, lambda *_: None) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.fixture
def request_pk():
    study = make_scored_study(score=False)
    return request_scoring(study, metrics=["length"], catalog=load_catalog(), actor=COMMAND_LINE, now=NOW).pk


def take(pk):
    assert take_lease(ScoringRequest, pk, now=lambda: NOW) is not None


def is_given_back():
    return ScoringRequest.objects.get().state == RequestState.QUEUED


def test_all_is_given_back_from_the_signal_on(request_pk):
    take(request_pk)

    with giving_back_when_told():
        os.kill(os.getpid(), signal.SIGTERM)
        assert wait_for(is_given_back)
        # It may have been about to take up another thing.
        take(request_pk)
        assert wait_for(is_given_back)


def test_who_ends_at_once_has_given_back_before(request_pk):
    take(request_pk)

    with giving_back_when_told():
        os.kill(os.getpid(), signal.SIGTERM)

    assert is_given_back()


def test_other_signals_give_nothing_back(request_pk):
    take(request_pk)

    with giving_back_when_told():
        os.kill(os.getpid(), signal.SIGUSR1)

    assert not is_given_back()


def test_afterwards_nothing_listens_any_more(request_pk):
    before = set(threading.enumerate())
    told = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(told)

    with giving_back_when_told():
        os.kill(os.getpid(), signal.SIGTERM)
    take(request_pk)

    assert set(threading.enumerate()) <= before
    assert signal.set_wakeup_fd(told) == told
    assert not is_given_back()
