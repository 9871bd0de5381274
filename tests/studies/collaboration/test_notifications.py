"""Tests of what people are notified of, and who: owner and members who asked for it, and nobody else."""

import pytest

from jobs.ending import end_job
from jobs.enums import JobState
from jobs.models import Job
from studies.access.audit import Actor
from studies.analysis.correlations import gather_observations
from studies.analysis.reports import report_observations
from studies.collaboration.notifications import Notice, list_people, notify
from studies.enums import Interface, RequestState
from studies.models import AuditEntry
from studies.publishing.report_jobs import keep_report
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.requests import cancel_request, request_scoring
from tests.factories.studies import NOW, make_member, make_study, make_user
from tests.studies.collaboration.notified import ask_for_mail, ask_for_messages, read_mails, read_messages
from tests.studies.people import make_people
from tests.studies.scored import make_scored_study
from tests.studies.scoring.requested_runs.scored_here import begin, work_on
from tests.studies.webhooks.receiver import receive

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _allowed(settings):
    settings.HAS_MAIL = True
    settings.ACCORDANCE_WEBHOOK_HOSTS, settings.ACCORDANCE_WEBHOOK_TESTING = ["127.0.0.1"], True


@pytest.fixture
def receiver():
    with receive() as receiver:
        yield receiver


@pytest.fixture
def owner(receiver):
    """An owner who wants all that there is."""
    owner = make_user("owner")
    ask_for_mail(owner)
    ask_for_messages(owner, receiver)
    return owner


def request_run(study, *metrics):
    actor = Actor(user=study.owner, interface=Interface.PAGE)
    return request_scoring(study, metrics=metrics, catalog=load_catalog(), actor=actor, now=NOW)


def test_end_of_a_run_is_told(owner, receiver):
    study = make_scored_study(owner=owner, score=False)
    run = request_run(study, "length")
    work_on(run.pk, now=lambda: NOW)

    message = next(each for each in read_messages(receiver) if each["type"] == "run.ended")
    assert message == {
        "type": "run.ended",
        "timestamp": NOW.isoformat(),
        "data": {
            "study": "study",
            "run": run.pk,
            "state": "finished",
            "page": f"https://site.example/studies/study/runs/{run.pk}/",
        },
    }
    subject = f"[Accordance] {study.title}: run {run.pk} of metrics has finished"
    assert read_mails() == [("owner@example.org", subject)]
    entry = AuditEntry.objects.get(action="run_ended")
    assert (entry.details, entry.actor, entry.interface) == ({"run": run.pk, "state": "finished"}, None, "site")


def test_run_that_failed_is_told_once_and_a_cancelled_one_is_not(owner, receiver):
    study = make_scored_study(owner=owner, score=False)
    cancelled = request_run(study, "length")
    cancel_request(cancelled, actor=Actor(owner, Interface.PAGE), now=NOW)
    failed = request_run(study, "length")
    job = begin(failed, now=NOW)
    end_job(Job.objects.filter(pk=job.pk), JobState.LOST, now=NOW, problem="three workers died")

    failed.refresh_from_db()
    assert failed.state == RequestState.FAILED
    assert [each["data"] for each in read_messages(receiver)] == [
        {
            "study": "study",
            "run": failed.pk,
            "state": "failed",
            "page": f"https://site.example/studies/study/runs/{failed.pk}/",
        }
    ]


def test_new_report_is_told(owner, receiver):
    study = make_scored_study(owner=owner)
    gathered = gather_observations(study)
    keep_report(gathered, report_observations(gathered), now=NOW)

    (message,) = read_messages(receiver)
    assert (message["type"], message["data"]) == (
        "report.frozen",
        {"study": "study", "report": 1, "page": "https://site.example/studies/study/reports/1/"},
    )
    assert read_mails() == [("owner@example.org", f"[Accordance] {study.title}: report 1 has been created")]


def test_people_are_owner_and_members_with_open_accounts():
    study = make_study(owner=make_user("owner"))
    make_people(study)

    assert sorted(list_people(study).values_list("username", flat=True)) == ["analyst", "editor", "owner", "viewer"]


def test_strangers_and_those_who_did_not_ask_are_told_nothing(owner):
    study = make_study(owner=owner)
    make_member(study, make_user("silent"))
    ask_for_mail(make_user("stranger"))
    ask_for_mail(make_user("operator", is_superuser=True))

    notify(study, Notice(event="x", key="x", subject="something", page="/"), now=NOW)

    assert read_mails() == [("owner@example.org", f"[Accordance] {study.title}: something")]
