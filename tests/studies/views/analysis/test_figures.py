import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from tests.factories.studies import make_judgment, make_rater
from tests.studies.scored import list_items, make_scored_study

PAGE = "/studies/study/scatter"


@pytest.mark.parametrize(
    ("file_format", "content_type", "beginning"),
    [
        ("svg", "image/svg+xml", b"<svg "),
        ("png", "image/png", b"\x89PNG"),
        ("pdf", "application/pdf", b"%PDF-"),
        ("csv", "text/csv; charset=utf-8", b"item,judgment,score\r\nitem-0,1.0,2.0\r\n"),
    ],
)
def test_scatter_as_a_file(researcher, owner, file_format, content_type, beginning):
    make_scored_study(owner=owner)

    response = researcher.get(f"{PAGE}.{file_format}?metric=length&download=1")

    assert response.headers["Content-Type"] == content_type
    assert response.headers["Content-Disposition"] == f'attachment; filename="study-length.{file_format}"'
    assert response.getvalue().startswith(beginning)


def test_scatter_for_the_page_is_no_download(researcher, owner):
    make_scored_study(owner=owner)

    wide, narrow = (researcher.get(f"{PAGE}.svg?metric=length&size={size}") for size in ("wide", "narrow"))

    assert "Content-Disposition" not in wide.headers
    assert wide.content != narrow.content


@pytest.mark.parametrize(
    "query", [".svg", ".svg?metric=nonsense", ".svg?metric=cider", ".gif?metric=length", ".svg?metric=length&size=x"]
)
def test_scatter_that_is_not_there(researcher, owner, query):
    make_scored_study(owner=owner)

    assert researcher.get(PAGE + query).status_code == 404


def test_browser_keeps_the_scatter_until_a_judgment_comes(researcher, owner):
    study = make_scored_study(owner=owner)
    first = researcher.get(f"{PAGE}.svg?metric=length")
    kept = {"headers": {"If-None-Match": first.headers["ETag"]}}

    again = researcher.get(f"{PAGE}.svg?metric=length", **kept)
    make_judgment(list_items(study)[0], make_rater(study, "rater-2"), 3.0)
    changed = researcher.get(f"{PAGE}.svg?metric=length", **kept)

    assert (first.status_code, again.status_code, changed.status_code) == (200, 304, 200)
    assert changed.content != first.content
    assert first.headers["Cache-Control"] == "private, no-cache"


def test_picture_of_a_large_study_is_drawn_by_a_worker_and_downloads_are_of_the_moment(researcher, owner, monkeypatch):
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    make_scored_study(owner=owner)

    before = researcher.get(f"{PAGE}.svg?metric=length")
    download = researcher.get(f"{PAGE}.svg?metric=length&download=1")
    run_waiting_jobs(now=timezone.now)
    after = researcher.get(f"{PAGE}.svg?metric=length")

    assert (before.status_code, download.status_code, after.status_code) == (404, 200, 200)
    assert after.content == download.content
    assert researcher.get(f"{PAGE}.svg?metric=nonsense").status_code == 404
    assert Job.objects.count() == 1


def test_overview_has_the_table_behind_its_scatter(researcher, owner):
    make_scored_study(owner=owner)

    page = researcher.get("/studies/study/").content.decode()

    assert 'aria-label="Table of scores by judgment"' in page
    for file_format, beginning in [("csv", b"judgment,n,"), ("md", b"**Study: length"), ("tex", b"% Needs")]:
        address = f"/studies/study/explore/scatter-table.{file_format}?metric=length&download=1"
        assert address.replace("&", "&amp;") in page
        assert researcher.get(address).content.startswith(beginning)
