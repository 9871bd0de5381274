"""Tests of reports that are created in the background."""

import pytest
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.enums import MemberRole
from studies.models import AuditEntry, FrozenReport, StudyMember
from tests.factories.studies import make_user

pytestmark = pytest.mark.django_db


def test_a_report_is_asked_for_and_comes(api):
    made = api.send("post", "report-requests/", {"metrics": ["length"], "seed": 3})
    run_waiting_jobs(now=timezone.now)

    asked = api.get(f"report-requests/{made.json()['id']}/").json()
    assert made.status_code == 202
    assert (asked["state"], asked["report"], asked["made_by"]) == ("done", 1, "owner")
    assert (asked["choices"]["metrics"], asked["choices"]["seed"]) == (["length"], 3)
    assert [each["id"] for each in api.get("report-requests/").json()["results"]] == [asked["id"]]
    assert AuditEntry.objects.get(action="reported").interface == "api"


def test_title_of_a_report_is_read_and_changed_by_the_owner_alone(api, study):
    api.send("post", "reports/", {"metrics": ["length"]})
    before = api.get("reports/1/").json()["title"]

    changed = api.send("patch", "reports/1/", {"title": "Metrics and people"})
    unknown = api.send("patch", "reports/2/", {"title": "Metrics and people"})
    reader = make_user("reader")
    StudyMember.objects.create(study=study, user=reader, role=MemberRole.ANALYST)
    api.client.force_login(reader)
    refused = api.send("patch", "reports/1/", {"title": "Mine"})

    assert (before, changed.json()["title"]) == (study.title, "Metrics and people")
    assert (unknown.status_code, refused.status_code) == (404, 403)
    assert api.get("reports/1/").json()["title"] == "Metrics and people"
    assert AuditEntry.objects.get(action="report_titled").details == {"report": 1, "title": "Metrics and people"}


def test_an_empty_title_is_that_of_the_study(api, study):
    api.send("post", "reports/", {"metrics": ["length"]})
    api.send("patch", "reports/1/", {"title": "Metrics and people"})

    changed = api.send("patch", "reports/1/", {"title": ""})

    assert changed.json()["title"] == study.title
    assert FrozenReport.objects.get().title == ""


def test_a_report_of_nothing_says_why(api, study):
    study.raters.get().judgments.all().delete()

    made = api.send("post", "report-requests/").json()
    run_waiting_jobs(now=timezone.now)

    asked = api.get(f"report-requests/{made['id']}/").json()
    assert (asked["state"], asked["report"]) == ("failed", None)
    assert asked["problem"] == "study study has no judgments yet"


def test_choices_that_do_not_go_together_are_refused(api):
    response = api.send("post", "report-requests/", {"method": "jackknife", "clusters": ["images", "raters"]})
    unknown = api.send("post", "report-requests/", {"metrics": ["nothing"]})

    assert (response.status_code, unknown.status_code) == (400, 400)
    assert unknown.json()["errors"][0]["field"] == "metrics"


def test_parts_of_a_report_have_addresses(api):
    api.send("post", "report-requests/")
    run_waiting_jobs(now=timezone.now)

    parts = api.get("reports/1/").json()["parts"]

    assert sorted(parts) == [
        "bundle.zip",
        "differences.csv",
        "forest-narrow.svg",
        "forest.pdf",
        "forest.png",
        "forest.svg",
        "heatmap.pdf",
        "heatmap.png",
        "heatmap.svg",
        "heds.json",
        "methods.tex",
        "methods.txt",
        "table.csv",
        "table.json",
        "table.md",
        "table.tex",
    ]
    answers = {}
    for part, address in parts.items():
        response = api.client.get(address)
        if response.streaming:
            assert b"".join(response.streaming_content)
        answers[part] = response.status_code
    # No test was asked for, so there is no heatmap of differences.
    assert answers == {part: 404 if part.startswith("heatmap") else 200 for part in parts}
