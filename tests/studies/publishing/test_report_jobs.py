"""Tests of requested reports, which are created once in the background and report errors."""

from dataclasses import asdict
from json import dumps, loads

import pytest
from django.utils import timezone

from correlation.comparison.methods import ComparisonRequest
from correlation.errors import UnknownNameError
from correlation.protocols.defaults import Inference
from correlation.protocols.named import get_protocol
from correlation.resampling.intervals import IntervalRequest
from jobs.models import Job
from jobs.page_fragment import may_cancel, may_see
from jobs.worker.running import run_waiting_jobs
from studies.access.audit import Actor
from studies.enums import AuditAction, Interface, MemberRole
from studies.models import AuditEntry, FrozenReport, Study
from studies.publishing.methods.facts import collect_facts
from studies.publishing.report_jobs import REPORT, ReportChoices, list_requests, request_report
from tests.factories.studies import NOW, make_member, make_user
from tests.studies.preregistered import make_preregistration
from tests.studies.rated import make_rated_study

CHOICES = ReportChoices(metrics=("length", "rouge-l"), method="percentile", clusters=("images",), resamples=20, seed=5)

NOBODY = Actor(user=None, interface=Interface.PAGE)


def work():
    """Run what waits, as a worker does, and return what became of it."""
    run_waiting_jobs(now=timezone.now)
    return Job.objects.get(kind=REPORT.name)


@pytest.mark.django_db
def test_a_report_is_made_by_a_job():
    study = make_rated_study()
    person = make_user("analyst")

    asked = request_report(study, CHOICES, actor=Actor(user=person, interface=Interface.PAGE), now=NOW)

    assert (asked.state, list(list_requests(study)), FrozenReport.objects.count()) == ("queued", [asked], 0)
    done = work()
    assert (done.state, done.problem, done.account, done.result) == ("done", "", person, {"report": 1})
    assert (done.n_done, done.n_total, list(list_requests(study))) == (3, 4, [])
    report = FrozenReport.objects.get()
    assert (report.number, report.made_by, len(report.data_digest)) == (1, person, 64)
    assert report.facts["judgments"]["n"] == 36
    assert '"seed": 5' in report.content
    entry = AuditEntry.objects.get(action=AuditAction.REPORTED)
    assert (entry.actor, entry.interface) == (person, Interface.PAGE)


@pytest.mark.django_db
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
    request_report(study, choices, actor=NOBODY, now=NOW)

    failed = work()

    assert (failed.state, failed.result) == ("failed", None)
    assert problem in failed.problem
    assert list(list_requests(study)) == [failed]
    assert FrozenReport.objects.count() == 0


@pytest.mark.django_db
def test_a_worker_that_lost_its_job_cannot_freeze_a_report(monkeypatch):
    request_report(make_rated_study(), CHOICES, actor=NOBODY, now=NOW)

    def take_over(*args):
        # Between the computing and the freezing another worker takes the job.
        Job.objects.update(lease="another")
        return collect_facts(*args)

    monkeypatch.setattr("studies.publishing.report_jobs.collect_facts", take_over)

    left = work()
    assert (left.state, left.lease, FrozenReport.objects.count()) == ("running", "another", 0)


@pytest.mark.django_db
def test_of_those_that_failed_the_newest_few_are_listed():
    study = make_rated_study(score=False)
    asked = [request_report(study, CHOICES, actor=NOBODY, now=NOW) for _ in range(5)]
    run_waiting_jobs(now=timezone.now)
    waiting = request_report(study, CHOICES, actor=NOBODY, now=NOW)

    assert [job.pk for job in list_requests(study)] == [waiting.pk, *(job.pk for job in reversed(asked[2:]))]


@pytest.mark.django_db
def test_who_may_look_at_a_study_sees_its_jobs_and_who_may_analyse_it_cancels_them():
    study = make_rated_study()
    owner, viewer, stranger = (make_user(name) for name in ("anna", "viewer", "stranger"))
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    make_member(study, viewer, role=MemberRole.VIEWER)
    job = request_report(study, CHOICES, actor=NOBODY, now=NOW)

    assert [may_see(user, job) for user in (owner, viewer, stranger)] == [True, True, False]
    assert [may_cancel(user, job) for user in (owner, viewer, stranger)] == [True, False, False]


def test_choices_are_kept_as_json():

    assert ReportChoices.from_json(loads(dumps(asdict(CHOICES)))) == CHOICES


@pytest.mark.django_db
def test_choices_become_requests():
    study, protocol = make_rated_study(), get_protocol("flickr8k-expert")

    def choose(choices, n_metrics=3):
        return choices.choose_inference(study, protocol, n_metrics=n_metrics)

    # 1,000 are enough for the three pairs of three metrics, as `choose_resamples` has it.
    assert choose(ReportChoices()) == Inference(
        IntervalRequest("percentile", ("images",)), ComparisonRequest("perm-input", n_resamples=1000)
    )
    assert choose(ReportChoices(method="none", test="none")) == Inference(None, None)
    assert choose(CHOICES).interval == IntervalRequest("percentile", ("images",), n_resamples=20)
    boots = ReportChoices(test="bootstrap", correction="bh")
    assert choose(boots).comparison == ComparisonRequest("bootstrap", ("images",), n_resamples=1000, correction="bh")
    assert choose(boots, n_metrics=1).comparison is None
    with pytest.raises(UnknownNameError):
        choose(ReportChoices(method="percentile", clusters=("nothing",)))


@pytest.mark.django_db
@pytest.mark.parametrize("metrics", [(), ("length", "rouge-l")])
def test_preregistered_metrics_are_reported_unless_others_are_chosen(metrics):
    study = make_rated_study()
    make_preregistration(study)

    request_report(study, ReportChoices(metrics=metrics), actor=Actor(make_user("owner"), Interface.PAGE), now=NOW)
    work()

    assert [each["id"] for each in loads(FrozenReport.objects.get().content)["metrics"]] == list(metrics or ("length",))
