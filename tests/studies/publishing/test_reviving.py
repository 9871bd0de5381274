from datetime import timedelta

import pytest
from django_tasks_db.models import DBTaskResult

from studies.enums import RequestState, WorkState
from studies.models import FrozenReport, ReportRequest, ScoringRequest
from studies.publishing.requesting import ReportChoices, make_requested_report, request_report
from studies.publishing.reviving import revive
from studies.scoring.plugin_catalog import load_catalog
from studies.scoring.requests.leasing import DEAD_AFTER, take_lease
from studies.scoring.requests.requesting import request_scoring
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study

LATER = NOW + DEAD_AFTER + timedelta(seconds=1)


def ask(study, actor):
    return request_scoring(study, metrics=["length"], catalog=load_catalog(), actor=actor, now=NOW)


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


@pytest.mark.django_db(transaction=True)
def test_a_report_whose_worker_was_killed_is_made_by_another(actor):
    study = make_rated_study()
    request = request_report(study, ReportChoices(), actor=actor, now=NOW)
    # As a worker leaves it that is killed in the middle.
    DBTaskResult.objects.update(status="RUNNING")
    ReportRequest.objects.update(state=WorkState.RUNNING, lease="dead", heartbeat=NOW, step="rouge-l", n_done=1)

    assert [revive(now=moment) for moment in (NOW, LATER, LATER)] == [0, 1, 0]
    (job,) = DBTaskResult.objects.ready()
    make_requested_report.call(*job.args_kwargs["args"])

    request.refresh_from_db()
    assert (request.state, request.step, request.report) == (WorkState.DONE, "", FrozenReport.objects.get())


@pytest.mark.django_db(transaction=True)
def test_a_report_that_kills_its_workers_is_given_up_at_the_third(actor):
    request = request_report(make_rated_study(), ReportChoices(), actor=actor, now=NOW)
    ReportRequest.objects.update(state=WorkState.RUNNING, lease="dead", heartbeat=NOW, n_lost=1)

    assert take_lease(ReportRequest, request.pk, now=lambda: LATER).row.n_lost == 2
    ReportRequest.objects.update(heartbeat=NOW)
    make_requested_report.call(request.pk)

    request.refresh_from_db()
    assert (request.state, request.n_lost) == (WorkState.FAILED, 3)
    assert request.problem == (
        "3 workers of the background ended, one after the other, while they were at it; "
        "fewer resamples or metrics take less memory"
    )


@pytest.mark.django_db(transaction=True)
def test_a_report_that_no_worker_began_with_is_put_in_line_again(actor):
    request_report(make_rated_study(), ReportChoices(), actor=actor, now=NOW)

    assert revive(now=LATER) == 0
    DBTaskResult.objects.update(status="RUNNING")
    assert [revive(now=moment) for moment in (NOW, LATER)] == [0, 1]
