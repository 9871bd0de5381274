from datetime import timedelta

import pytest
from django_tasks_db.models import DBTaskResult

from metrics_plugins.runtime.checks import check_metric
from studies.enums import RequestState
from studies.models import ConformanceReport
from studies.scoring.conformance import find_conformance, request_check, work_on_report
from studies.scoring.plugin_catalog import load_catalog
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
    report = request_check(entry, now=NOW)
    work_on_report(report.pk, now=lambda: NOW)
    return find_conformance(entry)


def test_every_clause_of_a_bundled_metric_is_told():
    conformance = check("length")

    expected = check_metric("length")
    assert [(each.check, each.clause, each.message) for each in conformance.clauses] == [
        (each.check, each.clause, each.message) for each in expected
    ]
    assert conformance.n_passed == len(expected)
    assert conformance.report.signature == "length|tok:ptb|v:1"
    assert (conformance.report.state, conformance.report.finished_at) == (RequestState.FINISHED, NOW)


@pytest.mark.slow
@pytest.mark.usefixtures("_hostile")
def test_failing_clauses_are_told_with_the_reason():
    failing = {each.check: each.message for each in check("always-nan").clauses if not each.passed}
    assert failing == {"within-bounds": "expected a score for at least one row of ordinary captions; came only NaN"}

    failing = {each.check: each.message for each in check("out-of-bounds").clauses if not each.passed}
    assert "declares bounds [0.0, 1000.0], but gave -1.0" in failing["within-bounds"]


@pytest.mark.slow
@pytest.mark.usefixtures("_hostile")
def test_a_metric_that_ends_its_process_fails_the_clause_that_was_tried():
    conformance = check("segfaults")

    messages = {each.check: each.message for each in conformance.clauses}
    ended = "expected the check to be done; its process was ended by SIGSEGV (Segmentation fault)"
    assert [messages[name] for name in ("declared-inputs", "declared-level", "keys-kept")] == [ended] * 3
    assert messages["within-bounds"] == "not tried: too many checks before it ended its process"


def test_a_check_is_asked_for_once_and_again_when_it_is_over():
    entry = load_catalog().get("length")
    for _ in range(2):
        report = request_check(entry, now=NOW)
    assert (ConformanceReport.objects.count(), DBTaskResult.objects.count()) == (1, 1)
    assert find_conformance(entry).is_under_way

    ConformanceReport.objects.update(state=RequestState.FINISHED)
    assert not find_conformance(entry).is_under_way
    assert request_check(entry, now=NOW).pk == report.pk
    assert DBTaskResult.objects.count() == 2


def test_a_report_of_other_sources_is_not_shown():
    entry = load_catalog().get("length")
    ConformanceReport.objects.create(metric="length", version=entry.info.version, digest="other", requested_at=NOW)

    assert find_conformance(entry) is None


def test_a_metric_that_is_gone_is_told():
    report = ConformanceReport.objects.create(metric="gone", version="1", digest="", requested_at=NOW)

    work_on_report(report.pk, now=lambda: NOW)

    report.refresh_from_db()
    assert report.state == RequestState.FAILED
    assert report.message.startswith("no installed plugin has a metric 'gone'")


def test_a_check_that_kills_its_workers_is_given_up_at_the_third():
    report = request_check(load_catalog().get("length"), now=NOW)
    long_ago = NOW - timedelta(minutes=1)
    ConformanceReport.objects.update(state=RequestState.RUNNING, lease="dead", heartbeat=long_ago, n_lost=2)

    work_on_report(report.pk, now=lambda: NOW)

    report.refresh_from_db()
    assert (report.state, report.n_lost) == (RequestState.FAILED, 3)
    assert report.message == (
        "no check could be tried: 3 workers of the background ended, one after the other, while they were at it"
    )
    request_check(load_catalog().get("length"), now=NOW)
    work_on_report(report.pk, now=lambda: NOW)
    report.refresh_from_db()
    assert (report.state, report.n_lost) == (RequestState.FINISHED, 0)
