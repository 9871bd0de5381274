from types import SimpleNamespace

import pytest
from django.utils import timezone

from jobs.enums import JobState
from jobs.models import Job
from jobs.requests import queue_once
from jobs.worker.running import run_waiting_jobs
from metrics_plugins.runtime.checks import check_metric
from studies.enums import RequestState
from studies.models import ConformanceReport
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.plugins.conformance import CHECK_METRIC, find_conformance, request_check
from tests.factories.studies import NOW
from tests.plugins.installing import installed_hostile_plugins  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def _hostile(monkeypatch, settings, installed_hostile_plugins):  # noqa: F811 - the fixture imported above
    monkeypatch.syspath_prepend(installed_hostile_plugins)
    settings.ACCORDANCE_METRIC_SECONDS = 5.0
    settings.ACCORDANCE_METRIC_MEMORY = 512


def check(name):
    entry = load_catalog().get(name)
    request_check(entry, now=NOW)
    run_waiting_jobs(now=timezone.now)
    return find_conformance(entry)


def test_every_clause_of_a_bundled_metric_is_told():
    conformance = check("length")

    expected = check_metric("length")
    assert [(each.check, each.clause, each.message) for each in conformance.clauses] == [
        (each.check, each.clause, each.message) for each in expected
    ]
    assert conformance.n_passed == len(expected)
    assert conformance.report.signature == "length|tok:ptb|v:1"
    assert (conformance.state, conformance.message) == (RequestState.FINISHED, "")
    assert conformance.job.n_total == len(expected)


@pytest.mark.slow
@pytest.mark.usefixtures("_hostile")
def test_failing_clauses_are_told_with_the_reason():
    failing = {each.check: each.message for each in check("always-nan").clauses if not each.passed}
    assert failing == {"within-bounds": "expected a score for at least one row of ordinary captions; got only NaN"}

    failing = {each.check: each.message for each in check("out-of-bounds").clauses if not each.passed}
    assert "declares bounds [0.0, 1000.0], but gave -1.0" in failing["within-bounds"]


@pytest.mark.slow
@pytest.mark.usefixtures("_hostile")
def test_a_metric_that_ends_its_process_fails_the_clause_that_was_tried():
    conformance = check("segfaults")

    messages = {each.check: each.message for each in conformance.clauses}
    ended = "expected the check to complete; its process was ended by SIGSEGV (Segmentation fault)"
    assert [messages[name] for name in ("declared-inputs", "declared-level", "keys-kept")] == [
        ended,
        "as declared-inputs",
        "as declared-inputs",
    ]
    assert messages["within-bounds"] == "not run: too many earlier checks crashed the process"


def test_a_check_is_asked_for_once_and_again_when_it_is_over():
    entry = load_catalog().get("length")
    for _ in range(2):
        request_check(entry, now=NOW)
    assert Job.objects.count() == 1
    assert find_conformance(entry).state == RequestState.QUEUED

    run_waiting_jobs(now=timezone.now)
    assert not find_conformance(entry).is_under_way
    request_check(entry, now=NOW)
    again = find_conformance(entry)
    assert (Job.objects.count(), again.is_under_way) == (2, True)
    # What the check before found stays.
    assert again.clauses


def test_a_report_of_other_sources_is_not_shown():
    entry = load_catalog().get("length")
    ConformanceReport.objects.create(
        metric="length", version=entry.info.version, digest="other", results=[], finished_at=NOW
    )

    assert find_conformance(entry) is None


@pytest.mark.parametrize(
    ("metric", "problem"),
    [("gone", "no installed plugin has a metric 'gone'"), ("length", "the plugin was changed during the check")],
)
def test_what_cannot_be_checked_is_told(metric, problem):
    payload = {"metric": metric, "version": "1", "digest": "of other sources"}
    queue_once(CHECK_METRIC, key="one", payload=payload, now=NOW)

    run_waiting_jobs(now=timezone.now)

    failed = Job.objects.get()
    assert (failed.state, ConformanceReport.objects.count()) == (JobState.FAILED, 0)
    assert failed.problem.startswith(problem)


def test_a_check_that_could_not_be_done_says_why():
    entry = load_catalog().get("length")
    request_check(entry, now=NOW)
    Job.objects.update(state=JobState.LOST, problem="its process ended", finished_at=NOW)

    conformance = find_conformance(entry)

    assert (conformance.state, conformance.message) == (RequestState.FAILED, "its process ended")
    assert conformance.clauses == ()


def test_whoever_started_a_check_may_cancel_it_and_no_other_account():
    request_check(load_catalog().get("length"), now=NOW, by=7)
    job = Job.objects.get()

    users = [SimpleNamespace(pk=7, is_staff=False), SimpleNamespace(pk=8, is_staff=False)]
    may = [CHECK_METRIC.may_cancel(user, job) for user in [*users, SimpleNamespace(pk=9, is_staff=True)]]

    assert may == [True, False, True]
