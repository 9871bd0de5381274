"""The same default interval, test and correction on every road: page, reports, commands and the API."""

import json
from dataclasses import asdict
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from correlation.reports import Report
from correlation.reports.json_form import print_json, read_report
from jobs.worker.running import run_waiting_jobs
from studies.models import FrozenReport, Study
from studies.publishing.freezing import load_report
from tests.factories.studies import make_user
from tests.studies.preregistered import make_preregistration
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def owner(client):
    owner = make_user("anna")
    client.force_login(owner)
    return owner


def make(owner, make_study=make_rated_study, **options):
    study = make_study("same", **options)
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


def call(*arguments):
    printed = StringIO()
    call_command(*arguments, stdout=printed, stderr=StringIO())
    return printed.getvalue()


def post(client, address, data=None):
    return client.post(f"/api/v1/studies/same/{address}", data or {}, content_type="application/json")


def gather_reports(client, tmp_path) -> dict[str, Report]:
    """Return the report of every road that makes a whole report, without any choice."""
    study = Study.objects.get(name="same")
    found = {"page": client.get("/studies/same/explore/?wait=1").context["report"]}
    found["api: explore"] = read_report(
        json.dumps(client.get("/api/v1/studies/same/explore/?wait=on").json()["report"])
    )
    # The form as the page shows it, with its initial values.
    form = client.get("/studies/same/reports/").context["form"]
    shown = {field.name: field.value() for field in form if field.value() is not None}
    assert client.post("/studies/same/reports/freeze/", shown).status_code == 302
    assert post(client, "report-requests/").status_code == 202
    run_waiting_jobs(now=timezone.now)
    call("freeze_report", "same")
    assert post(client, "reports/").status_code == 201
    assert FrozenReport.objects.count() == 4
    for number, road in enumerate(("page: report", "api: requested report", "command: report", "api: report"), 1):
        found[road] = load_report(study, number)[1]
    call("correlate", "same", "--out", str(tmp_path / "report.json"))
    found["command: correlate"] = read_report((tmp_path / "report.json").read_text())
    return found


def gather_comparisons(client) -> dict[str, Report]:
    """Return the report of every road that only tests differences."""
    return {
        "command: compare": read_report(call("compare", "same", "--json")),
        "api: compare": read_report(post(client, "compare/").content.decode()),
    }


def gather_values(client) -> dict[str, list]:
    """Return the records of every road that only lists values."""
    return {
        "command: correlate": json.loads(call("correlate", "same", "--json")),
        "api: correlate": post(client, "correlate/").json(),
    }


def list_bounds(rows):
    return [(row["metric"], row["coefficient"], row["value"], row["low"], row["high"]) for row in rows]


@pytest.mark.parametrize("make_study", [make_rated_study, make_voted_study])
def test_equal_defaults_on_four_roads(client, owner, tmp_path, make_study):
    make(owner, make_study)

    reports, comparisons = gather_reports(client, tmp_path), gather_comparisons(client)

    first = reports.pop("page")
    assert first.design.signature == (
        "ci:percentile|resampled:images|n:1000|confidence:0.95"
        " / test:perm-input|n:1000|correction:holm|alpha:0.05 / seed:0"
    )
    assert all(row.low is not None and row.letters for row in first.rows)
    assert all(each.p_value is not None for each in first.differences)
    for road, report in reports.items():
        assert print_json(report) == print_json(first), road
    for road, report in comparisons.items():
        assert report.differences == first.differences, road
        assert [(row.metric, row.letters) for row in report.rows] == [(row.metric, row.letters) for row in first.rows]
    for road, records in gather_values(client).items():
        assert sorted(list_bounds(records)) == sorted(list_bounds(map(asdict, first.rows))), road


def test_fewer_than_ten_images_have_no_p_value_on_any_road(client, owner, tmp_path):
    make(owner, n_items=9)

    reports = gather_reports(client, tmp_path) | gather_comparisons(client)

    for road, report in reports.items():
        assert report.differences == (), road
        for row in report.rows:
            assert (row.p_value, row.letters) == (None, None), road
            assert row.caution.startswith("only 9 images, fewer than 10: differences are not tested"), road
    for road, records in gather_values(client).items():
        assert {row["p_value"] for row in records} == {None}, road
        assert {row["caution"] for row in records} == {reports["page"].rows[0].caution}, road
        assert all(row["low"] is not None for row in records), road
    # Nor where a test is asked for.
    asked = read_report(post(client, "compare/", {"test": "perm-both"}).content.decode())
    assert (asked.differences, asked.cautions) == ((), reports["page"].cautions)
    assert " p " not in call("compare", "same", "--test", "bootstrap")
    assert "caution: only 9 images" in call("compare", "same")


def test_preregistered_test_comes_before_the_default_on_every_road(client, owner, tmp_path):
    planned = {"test": "perm-both", "correction": "bh", "alpha": 0.01, "metrics": ["length", "rouge-l"]}
    make_preregistration(make(owner), **planned)

    reports, comparisons = gather_reports(client, tmp_path), gather_comparisons(client)

    # 2 x 1 / 0.01 = 200 resamples, in thousands.
    for road, report in (reports | comparisons).items():
        assert "test:perm-both|n:1000|correction:bh|alpha:0.01" in report.design.signature, road
    for road, report in reports.items():
        assert "confidence:0.99" in report.design.signature, road


def test_choice_comes_before_the_preregistered_test(client, owner):
    make_preregistration(make(owner))

    asked = read_report(post(client, "compare/", {"test": "bootstrap", "clusters": ["images"]}).content.decode())

    assert asked.design.test == "bootstrap"


def test_preregistered_test_that_does_not_fit_the_protocol_leaves_the_default(client, owner):
    make_preregistration(make(owner), test="williams")

    assert client.get("/studies/same/explore/?wait=1").context["report"].design.test == "perm-input"
