"""Tests of the parts of a report, its bundle, and links to it."""

import json
import zipfile
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from studies.publishing.freezing import load_report
from studies.publishing.report_pages import write_part
from tests.studies.page_rights import make_report

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def report(study):
    make_report(study)
    return load_report(study, 1)


@pytest.mark.parametrize("part", ["table.tex", "methods.txt", "heds.json"])
def test_parts_are_those_of_the_page(api, report, part):
    name, _, form = part.partition(".")

    response = api.get(f"reports/1/{part}")

    assert response.content == write_part(*report, part=name, file_format=form)
    assert response["Content-Disposition"] == f'attachment; filename="study-report-1-{part}"'


@pytest.mark.parametrize("address", ["reports/1/table.docx", "reports/1/nothing.md", "reports/2/table.md"])
def test_there_is_no_such_part(api, address):
    response = api.get(address)

    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")


def test_a_bundle_is_a_zip(api):
    response = api.get("reports/1/bundle.zip")
    content = b"".join(response.streaming_content)

    with zipfile.ZipFile(BytesIO(content)) as bundle:
        assert bundle.testzip() is None
        assert json.loads(bundle.read("manifest.json"))


def test_a_bundle_of_a_large_study_is_made_by_a_job(api, monkeypatch, settings, tmp_path):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    settings.VAR_DIR = tmp_path

    first = api.get("reports/1/bundle.zip")
    run_waiting_jobs(now=timezone.now)
    second = api.get("reports/1/bundle.zip")

    assert (first.status_code, first["Retry-After"], first.json()["state"]) == (202, "5", "waiting")
    assert zipfile.ZipFile(BytesIO(b"".join(second.streaming_content))).testzip() is None


def test_a_link_leads_to_the_report_until_it_is_revoked(api):
    made = api.send("post", "reports/1/links/")
    body = made.json()
    before = Client().get(body["address"]).status_code
    kept = api.get("reports/1/links/").json()["results"]

    gone = api.send("delete", f"reports/1/links/{body['link']['id']}/")

    assert (made.status_code, made["Cache-Control"], before, gone.status_code) == (201, "no-store", 200, 204)
    assert [each["hint"] for each in kept] == [body["address"].rstrip("/")[-4:]]
    assert Client().get(body["address"]).status_code == 404
    assert api.get("reports/1/links/").json()["results"][0]["revoked_at"] is not None
