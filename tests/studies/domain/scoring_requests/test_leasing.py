from datetime import timedelta

from django_tasks_db.models import DBTaskResult

from studies.domain.plugin_catalog import load_catalog
from studies.domain.scoring_requests.leasing import DEAD_AFTER, revive, take_lease
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


def test_what_the_dead_left_is_put_in_line_once(study, actor):
    request = ask(study, actor)
    DBTaskResult.objects.all().delete()
    ScoringRequest.objects.update(state=RequestState.RUNNING, lease="dead", heartbeat=NOW)

    assert [revive(now=moment) for moment in (NOW, LATER, LATER)] == [0, 1, 0]
    (job,) = DBTaskResult.objects.ready()
    assert job.args_kwargs == {"args": [request.pk], "kwargs": {}}


def test_what_was_taken_from_the_line_and_never_begun_is_put_there_again(study, actor):
    ask(study, actor)

    assert revive(now=LATER) == 0
    DBTaskResult.objects.update(status="RUNNING")
    assert [revive(now=moment) for moment in (NOW, LATER)] == [0, 1]
