"""Tests of pages of a large study, which show known values immediately and leave computations to a worker."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.analysis import cached_results
from studies.models import Study
from tests.factories.studies import make_judgment, make_rater
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

PAGE = "/studies/rated/"
COMPUTED = ("", "explore/", "disagreements/")
N_QUERIES = {
    # Part of the study -> cold, and warm. Cold: what a worker is asked for is looked up in one and queued in three. The
    # explorer looks for jobs of options that its page has replaced; warm, it notes that another page waits for the job.
    "": (35, 21),
    "explore/": (16, 19),
    "disagreements/": (16, 14),
    "monitoring/": (14, 5),
}
WAITING = (
    "so this is being computed in the background",
    "so they are being counted in the background",
    "will appear here.",
)


@pytest.fixture
def study(owner, monkeypatch):
    """A study of which every page leaves what takes long to a worker."""
    monkeypatch.setattr(cached_results, "MOST_JUDGMENTS", 0)
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


def read(response):
    """Return the page without its name, the tokens of its forms and when it was counted, which change."""
    page = re.sub(r'(value="\w{64}"|data-page="[\w-]{22}")', "", response.content.decode())
    return " ".join(re.sub(r'<p class="hint">Counted .*?</p>', "", page).split())


def is_waiting(page):
    """Whether the page has a placeholder; that of an older value says that an update will appear."""
    return any(words in page.replace("It will appear here.", "") for words in WAITING)


def work():
    run_waiting_jobs(now=timezone.now)


def reads_judgments(queries):
    """Whether judgments were read one by one, as whatever is computed from them must."""
    return any('"studies_judgment"."value" AS "value"' in query["sql"] for query in queries)


def counts_by_group(queries):
    """Whether judgments were counted by rater, hour or item; those of the items in sight are few."""
    grouped = [query["sql"] for query in queries if "studies_judgment" in query["sql"] and "GROUP BY" in query["sql"]]
    return any('"studies_judgment"."item_id" IN (' not in sql for sql in grouped)


@pytest.mark.parametrize("part", COMPUTED)
def test_page_computes_nothing_from_judgments(researcher, study, part):
    with CaptureQueriesContext(connection) as alone:
        response = researcher.get(PAGE + part)
    with CaptureQueriesContext(connection) as waiting:
        researcher.get(f"{PAGE}{part}?wait=1")

    assert (reads_judgments(alone), reads_judgments(waiting)) == (False, True)
    assert is_waiting(read(response))
    assert f'href="{PAGE}{part}?wait=1"' in read(response)


@pytest.mark.parametrize("part", ["", "monitoring/"])
def test_page_counts_no_judgments(researcher, study, part):
    with CaptureQueriesContext(connection) as alone:
        response = researcher.get(PAGE + part)
    with CaptureQueriesContext(connection) as waiting:
        researcher.get(f"{PAGE}{part}?wait=1")

    assert (counts_by_group(alone), counts_by_group(waiting)) == (False, True)
    assert is_waiting(read(response))


def test_monitoring_asks_for_its_counts(researcher, study):
    response = researcher.get(f"{PAGE}monitoring/")

    assert 'hx-get="/studies/rated/monitoring/now/" hx-trigger="every 2s"' in read(response)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", N_QUERIES)
def test_page_of_a_large_study_takes_few_queries(researcher, study, part, django_assert_num_queries):
    cold, warm = N_QUERIES[part]

    with django_assert_num_queries(cold):
        researcher.get(PAGE + part)
    for _ in range(2):
        work()
        researcher.get(PAGE + part)
    with django_assert_num_queries(warm):
        response = researcher.get(PAGE + part)

    assert not is_waiting(read(response))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", COMPUTED)
def test_page_loads_itself_anew_when_its_part_is_there(researcher, study, part):
    first = read(researcher.get(PAGE + part))
    polled = re.search(r'hx-get="([^"]+)" hx-trigger="every 2s"', first)[1].replace("&amp;", "&")
    early = researcher.get(polled)
    work()
    researcher.get(polled)
    work()
    late = researcher.get(polled)

    assert (early.status_code, early.content) == (204, b"")
    assert late.status_code == 200
    # The overview hands out the section that was waited for, other pages are loaded anew.
    expected = {"HX-Retarget": "#results", "HX-Reselect": "#results"} if part == "" else {"HX-Refresh": "true"}
    assert expected.items() <= late.headers.items()
    work()
    researcher.get(PAGE + part)
    work()
    assert not is_waiting(read(researcher.get(PAGE + part)))


@pytest.mark.django_db(transaction=True)
def test_what_a_worker_computed_is_what_the_page_would_have(researcher, study):
    by_worker = {}
    for part in COMPUTED:
        for _ in range(3):
            response = researcher.get(PAGE + part)
            work()
        by_worker[part] = read(response)
    here = {part: read(researcher.get(f"{PAGE}{part}?wait=1")) for part in COMPUTED}

    assert by_worker == here


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("part", COMPUTED)
def test_older_numbers_are_shown_with_their_date(researcher, study, part):
    for _ in range(3):
        researcher.get(PAGE + part)
        work()
    make_judgment(list_items(study)[0], make_rater(study, "late"), 2.0)

    after = read(researcher.get(PAGE + part))
    for _ in range(2):
        work()
        later = read(researcher.get(PAGE + part))

    assert re.search(r"As of <time [^>]+>[-\d: ]+</time>\. Judgments since then are not included", after)
    assert "An update is being computed." in after
    assert not is_waiting(after + later)
    assert "As of" not in later


def test_pictures_are_of_the_judgments_of_the_page(researcher, study):
    researcher.get(f"{PAGE}explore/?wait=1")
    make_judgment(list_items(study)[0], make_rater(study, "late"), 2.0)

    with CaptureQueriesContext(connection) as queries:
        pictures = [researcher.get(f"{PAGE}explore/{part}.svg") for part in ("forest", "scatter")]

    assert [picture.status_code for picture in pictures] == [200, 200]
    assert not reads_judgments(queries)
