from datetime import timedelta
from threading import Event
from threading import enumerate as enumerate_threads

from django.db import OperationalError

from studies.enums import RequestState, WorkState
from studies.models import ConformanceReport, ReportRequest, RequestedMetric, ScoringRequest
from studies.publishing.requesting import ReportChoices, request_report
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.leasing import DEAD_AFTER, give_back, keep_beating, take_lease
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


def test_what_is_given_back_three_times_is_not_held_against_it(study, actor):
    request = request_report(study, ReportChoices(), actor=actor, now=NOW)

    for _ in range(3):
        lease = take_lease(ReportRequest, request.pk, now=lambda: NOW)
        assert (lease.row.n_lost, give_back(), lease.update(n_done=1)) == (0, 1, False)

    request.refresh_from_db()
    assert (request.state, request.lease, request.n_lost, request.n_done) == (WorkState.WAITING, "", 0, 0)
    assert give_back() == 0


def test_what_another_worker_is_at_is_not_given_back(study, actor):
    ask(study, actor)
    ScoringRequest.objects.update(state=RequestState.RUNNING, lease="other", heartbeat=NOW)

    assert (give_back(), ScoringRequest.objects.get().lease) == (0, "other")


def test_checks_and_a_metric_that_was_at_work_are_given_back(study, actor):
    request = ask(study, actor)
    checks = ConformanceReport.objects.create(metric="length", version="1", digest="0", requested_at=NOW)
    take_lease(ScoringRequest, request.pk, now=lambda: NOW)
    take_lease(ConformanceReport, checks.pk, now=lambda: NOW)
    RequestedMetric.objects.update(n_begun=1)

    assert give_back() == 2
    request.refresh_from_db()
    checks.refresh_from_db()
    assert (request.state, checks.state) == (RequestState.QUEUED, RequestState.QUEUED)
    assert RequestedMetric.objects.get().n_begun == 0


def test_a_run_that_was_paused_meanwhile_stays_paused(study, actor):
    take_lease(ScoringRequest, ask(study, actor).pk, now=lambda: NOW)
    ScoringRequest.objects.update(state=RequestState.PAUSED)

    assert (give_back(), ScoringRequest.objects.get().state) == (0, RequestState.PAUSED)
