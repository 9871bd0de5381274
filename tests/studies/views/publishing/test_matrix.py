"""Tests of the page of the benchmark matrix: what is shown, to whom, and its files."""

from dataclasses import replace

import pytest
from django.test import Client

from correlation.defaults import explain_few
from studies.models import Study
from studies.publishing.freezing import freeze_report
from tests.correlation.reports.example import REPORT
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study


@pytest.fixture
def own(owner):
    study = make_rated_study("own")
    Study.objects.filter(pk=study.pk).update(owner=owner)
    freeze_report(study, REPORT, now=NOW)
    return study


def test_the_page_shows_reports_of_studies_that_one_may_see(researcher, own):
    freeze_report(make_rated_study("foreign"), REPORT, now=NOW)

    page = researcher.get("/matrix/").content.decode()

    assert ("own: Kendall τ-c" in page, "foreign" in page) == (True, False)
    assert "0.512" in page
    assert '<a href="/matrix/" aria-current="page">' in page


def test_a_study_with_three_images_has_a_caution(researcher, own):
    few = explain_few(3, "images")
    freeze_report(own, replace(REPORT, rows=tuple(replace(row, caution=few) for row in REPORT.rows)), now=NOW)

    page = researcher.get("/matrix/").content.decode()

    assert f'<p class="notice warning">Caution: own: {few}.</p>' in page
    assert "‡: the numbers of this column must be read with care" in page
    assert f'<abbr title="{few}">' in page


def test_strangers_see_no_numbers_and_get_an_empty_file(researcher, own):
    Study.objects.filter(pk=own.pk).update(owner=None)

    assert "None of your studies has an up-to-date report" in researcher.get("/matrix/").content.decode()
    assert researcher.get("/matrix/matrix.json").json()["values"] == []
    assert Client().get("/matrix/").status_code == 302


@pytest.mark.parametrize("file_format", ["md", "csv", "json"])
def test_files_are_downloads(researcher, own, file_format):
    response = researcher.get(f"/matrix/matrix.{file_format}")

    assert (response.status_code, b"spice" in response.content) == (200, True)
    assert response["Content-Disposition"] == f'attachment; filename="matrix.{file_format}"'


def test_an_unknown_format_is_not_there(researcher, own):
    assert researcher.get("/matrix/matrix.pdf").status_code == 404
