from datetime import timedelta
from threading import Event
from threading import enumerate as enumerate_threads

from django.db import OperationalError

from studies.domain.plugin_catalog import load_catalog
from studies.domain.scoring_requests.leasing import DEAD_AFTER, keep_beating, take_lease
from studies.domain.scoring_requests.requesting import request_scoring
from studies.enums import RequestState
from studies.models import ScoringRequest
from tests.factories.studies import NOW

LATER = NOW + DEAD_AFTER + timedelta(seconds=1)


def ask(study, actor):
    return request_scoring(study, metrics=["length"], catalog=load_catalog(), actor=actor, now=NOW)


def test_a_row_is_taken_once(study, actor):
    request = ask(study, actor)

    first, second = (take_lease(ScoringRequest, request.pk, now=lambda: NOW) for _ in range(2))

    assert (first.row.state, first.row.heartbeat, second) == (RequestState.RUNNING, NOW, None)
    assert len(first.row.lease) == 32


def test_the_row_of_a_dead_worker_is_taken_over_and_the_dead_writes_nothing_more(study, actor):
    request = ask(study, actor)
    dead = take_lease(ScoringRequest, request.pk, now=lambda: NOW)
    heir = take_lease(ScoringRequest, request.pk, now=lambda: LATER)

    assert dead.update(n_done=7) is False
    assert heir.update(n_done=1) is True
    assert ScoringRequest.objects.get().n_done == 1


def test_a_lease_beats_and_is_lost_when_somebody_stops_the_work(study, actor, monkeypatch):
    monkeypatch.setattr("studies.domain.scoring_requests.leasing.BEAT_SECONDS", 0.0)
    lease = take_lease(ScoringRequest, ask(study, actor).pk, now=lambda: LATER)
    ScoringRequest.objects.update(heartbeat=NOW)

    assert lease.stop() is False
    assert ScoringRequest.objects.get().heartbeat == LATER
    ScoringRequest.objects.update(state=RequestState.PAUSED)
    assert lease.stop() is True


def test_a_thread_beats_while_the_work_goes_on_and_then_no_more():
    beats, third = [], Event()

    def beat():
        beats.append(1)
        if len(beats) == 2:
            # The next is tried all the same.
            raise OperationalError("database is locked")
        if len(beats) == 3:
            third.set()

    with keep_beating(beat, seconds=0.001):
        assert third.wait(60)
    n_beats = len(beats)

    assert n_beats >= 3
    # The thread has ended.
    assert not [thread for thread in enumerate_threads() if "go_on" in thread.name]
