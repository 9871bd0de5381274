from datetime import timedelta

from studies.enums import RequestState
from studies.models import RequestedMetric, ScoringRequest
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.leasing import DEAD_AFTER, give_back, take_lease
from studies.scoring.requests.requesting import request_scoring
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
    monkeypatch.setattr("studies.scoring.requests.leasing.BEAT_SECONDS", 0.0)
    lease = take_lease(ScoringRequest, ask(study, actor).pk, now=lambda: LATER)
    ScoringRequest.objects.update(heartbeat=NOW)

    assert lease.stop() is False
    assert ScoringRequest.objects.get().heartbeat == LATER
    ScoringRequest.objects.update(state=RequestState.PAUSED)
    assert lease.stop() is True


def test_what_is_given_back_three_times_is_not_held_against_it(study, actor):
    request = ask(study, actor)

    for _ in range(3):
        lease = take_lease(ScoringRequest, request.pk, now=lambda: NOW)
        assert (lease.row.n_lost, give_back(), lease.update(n_done=1)) == (0, 1, False)

    request.refresh_from_db()
    assert (request.state, request.lease, request.n_lost, request.n_done) == (RequestState.QUEUED, "", 0, 0)
    assert give_back() == 0


def test_what_another_worker_is_at_is_not_given_back(study, actor):
    ask(study, actor)
    ScoringRequest.objects.update(state=RequestState.RUNNING, lease="other", heartbeat=NOW)

    assert (give_back(), ScoringRequest.objects.get().lease) == (0, "other")


def test_a_metric_that_was_at_work_is_given_back(study, actor):
    request = ask(study, actor)
    take_lease(ScoringRequest, request.pk, now=lambda: NOW)
    RequestedMetric.objects.update(n_begun=1)

    assert give_back() == 1
    request.refresh_from_db()
    assert request.state == RequestState.QUEUED
    assert RequestedMetric.objects.get().n_begun == 0


def test_a_run_that_was_paused_meanwhile_stays_paused(study, actor):
    take_lease(ScoringRequest, ask(study, actor).pk, now=lambda: NOW)
    ScoringRequest.objects.update(state=RequestState.PAUSED)

    assert (give_back(), ScoringRequest.objects.get().state) == (0, RequestState.PAUSED)
