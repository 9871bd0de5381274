from datetime import timedelta

from django_tasks_db.models import DBTaskResult

from studies.enums import RequestState
from studies.models import ScoringRequest
from studies.publishing.requeueing import requeue_lost_requests
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.leasing import DEAD_AFTER
from studies.scoring.requests.requesting import request_scoring
from tests.factories.studies import NOW

LATER = NOW + DEAD_AFTER + timedelta(seconds=1)


def ask(study, actor):
    return request_scoring(study, metrics=["length"], catalog=load_catalog(), actor=actor, now=NOW)


def test_what_the_dead_left_is_put_in_line_once(study, actor):
    request = ask(study, actor)
    DBTaskResult.objects.all().delete()
    ScoringRequest.objects.update(state=RequestState.RUNNING, lease="dead", heartbeat=NOW)

    assert [requeue_lost_requests(now=moment) for moment in (NOW, LATER, LATER)] == [0, 1, 0]
    (job,) = DBTaskResult.objects.ready()
    assert job.args_kwargs == {"args": [request.pk], "kwargs": {}}


def test_what_was_taken_from_the_line_and_never_begun_is_put_there_again(study, actor):
    ask(study, actor)

    assert requeue_lost_requests(now=LATER) == 0
    DBTaskResult.objects.update(status="RUNNING")
    assert [requeue_lost_requests(now=moment) for moment in (NOW, LATER)] == [0, 1]
