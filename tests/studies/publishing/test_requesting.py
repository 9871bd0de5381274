"""Reports that are asked for are made in the background, once, and say what became of them."""

from dataclasses import asdict
from io import StringIO
from json import dumps, loads

import pytest
from django.core.management import call_command
from django_tasks_db.models import DBTaskResult

from correlation.comparison.methods import ComparisonRequest
from correlation.errors import UnknownNameError
from correlation.resampling.intervals import IntervalRequest
from studies.access.auditing import Actor
from studies.enums import AuditAction, Door, WorkState
from studies.models import AuditEntry, FrozenReport, ReportRequest
from studies.publishing.methods.facts import collect_facts
from studies.publishing.requesting import ReportChoices, list_scored_metrics, make_requested_report, request_report
from tests.factories.studies import NOW, make_user
from tests.studies.rated import make_rated_study

CHOICES = ReportChoices(metrics=("length", "rouge-l"), method="percentile", clusters=("images",), resamples=20, seed=5)


def work():
    """Let a worker do all that waits, as `serve` does in a process of its own."""
    call_command("db_worker", batch=True, startup_delay=False, verbosity=0, stdout=StringIO())


@pytest.mark.django_db(transaction=True)
def test_a_report_is_made_by_a_worker():
    study = make_rated_study()
    person = make_user("analyst")

    request = request_report(study, CHOICES, actor=Actor(user=person, door=Door.PAGE), now=NOW)

    assert (request.state, FrozenReport.objects.count()) == (WorkState.WAITING, 0)
    work()
    request.refresh_from_db()
    assert (request.state, request.problem, request.n_done, request.n_steps) == (WorkState.DONE, "", 3, 4)
    report = request.report
    assert (report.number, report.made_by, len(report.data_digest)) == (1, person, 64)
    assert report.facts["judgments"]["n"] == 36
    assert '"seed": 5' in report.content
    entry = AuditEntry.objects.get(action=AuditAction.REPORTED)
    assert (entry.actor, entry.door) == (person, Door.PAGE)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("choices", "problem"),
    [
        (ReportChoices(protocol="no-such@1"), "no-such"),
        (ReportChoices(metrics=("no-such",)), "no installed plugin has a metric 'no-such'"),
        (ReportChoices(test="williams"), "williams"),
    ],
)
def test_a_report_that_cannot_be_made_says_why(choices, problem):
    study = make_rated_study()
    request = request_report(study, choices, actor=Actor(user=None, door=Door.PAGE), now=NOW)

    work()

    request.refresh_from_db()
    assert (request.state, request.report) == (WorkState.FAILED, None)
    assert problem in request.problem
    assert FrozenReport.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_a_request_is_worked_on_once():
    study = make_rated_study()
    request = request_report(study, CHOICES, actor=Actor(user=None, door=Door.PAGE), now=NOW)

    make_requested_report.call(request.pk)
    make_requested_report.call(request.pk)
    work()

    assert FrozenReport.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_who_was_given_up_for_dead_freezes_nothing(monkeypatch):
    request = request_report(make_rated_study(), CHOICES, actor=Actor(user=None, door=Door.PAGE), now=NOW)

    def take_over(*args):
        # Between the computing and the freezing another worker takes the request.
        ReportRequest.objects.update(lease="another")
        return collect_facts(*args)

    monkeypatch.setattr("studies.publishing.requesting.collect_facts", take_over)
    make_requested_report.call(request.pk)

    request.refresh_from_db()
    assert (request.state, request.lease, FrozenReport.objects.count()) == (WorkState.RUNNING, "another", 0)


@pytest.mark.django_db(transaction=True)
def test_what_nobody_expected_is_told_and_fails_the_task():
    study = make_rated_study()
    request = request_report(study, CHOICES, actor=Actor(user=None, door=Door.PAGE), now=NOW)
    ReportRequest.objects.update(choices={"no": "choice"})

    work()

    request.refresh_from_db()
    assert (request.state, request.problem) == (WorkState.FAILED, "something unexpected broke it: TypeError")
    assert DBTaskResult.objects.get().status == "FAILED"


def test_choices_are_kept_as_json():

    assert ReportChoices.from_json(loads(dumps(asdict(CHOICES)))) == CHOICES


def test_choices_become_requests():
    assert ReportChoices().make_interval() is None
    assert ReportChoices().make_comparison(5) is None
    assert CHOICES.make_interval() == IntervalRequest("percentile", ("images",), n_resamples=20)
    boots = ReportChoices(test="bootstrap", correction="bh")
    # 1,000 are enough for the three pairs of three metrics, as `choose_resamples` has it.
    assert boots.make_comparison(3) == ComparisonRequest("bootstrap", ("images",), n_resamples=1000, correction="bh")
    assert boots.make_comparison(1) is None
    with pytest.raises(UnknownNameError):
        ReportChoices(method="percentile", clusters=("nothing",)).make_interval()


@pytest.mark.django_db
def test_metrics_with_scores_are_listed():
    assert list_scored_metrics(make_rated_study()) == ["length", "rouge-l"]
    assert list_scored_metrics(make_rated_study("unscored", score=False)) == []
